"""Shares of whole trees: worked examples, and values that Hadoop's own tests assert."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fairsim.model.apps import App
from fairsim.model.resources import INT_MAX, LONG_MAX, Amount, ResourceTypes
from fairsim.shares.apps import app_shares, masters_that_fit
from fairsim.shares.solve import Hangs, Shares, am_limit, solve, solve_many
from tests.helpers import GPU, PLAIN, by_name, shares_of, tree_of

DRF = "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"


def q(name: str, inner: str = "", **values: str) -> str:
    """Returns a queue element; w, lo, hi, policy are its values."""
    tags = {"w": "weight", "lo": "minResources", "hi": "maxResources", "policy": "schedulingPolicy"}
    fields = "".join(f"<{tags[key]}>{value}</{tags[key]}>" for key, value in values.items())
    return f'<queue name="{name}">{fields}{inner}</queue>'


class Row(NamedTuple):
    """One worked example; amounts are memory, or all types. `active` None: all."""

    label: str
    file: str
    cluster: Amount
    steady: dict[str, int | Amount]
    now: dict[str, int | Amount] | None = None
    active: str | None = None
    hadoop: str = "3.4"
    types: ResourceTypes = PLAIN


BIG = "1073741824 mb, 1000 vcores"
QUARTERS = q("A", w=".25", hi=BIG) + q("B", w=".75", hi=BIG)
BUSY = q("A", w="1") + q("B", w="3")
P = q("P", q("a", lo="2500 mb, 0 vcores") + q("b", w="3"), hi="3000 mb, 100 vcores") + q("S")
P10 = q("P", q("a", lo="2500 mb, 0 vcores") + q("b", w="3", lo="1000 mb, 0 vcores"), hi="3000 mb, 100 vcores") + q("S")
E8 = DRF + q("A", "".join(q(f"A{n}") for n in range(1, 5)), w="8") + q("B", q("B1") + q("B2"))
E11 = DRF + q("A") + q("B", w="2")

ROWS = [
    Row("E1 and testFairShareWithHighMaxResources", QUARTERS, (8192, 8),
        {"A": (1024, 0), "B": (3072, 0), "default": (4096, 0)}, {"A": (2048, 0), "B": (6144, 0), "default": (0, 0)},
        "A B", "3.3"),
    Row("E1b", QUARTERS, (8192, 8), {"A": (2048, 0), "B": (6144, 0)}),
    Row("E2", BUSY, (819200, 200), {"A": 163840, "B": 491520, "default": 163840},
        {"A": 204800, "B": 614400, "default": 0}, "A B", "3.3"),
    Row("E2b", DRF + BUSY, (819200, 200), {"A": (163840, 40), "B": (491520, 120), "default": (163840, 40)},
        {"A": (204800, 50), "B": (614400, 150), "default": (0, 0)}, "A B", "3.3"),
    Row("E2c", DRF + BUSY, (819200, 200), {"A": (204800, 50), "B": (614400, 150)}),
    Row("E3", q("A", lo="6000 mb, 0 vcores") + q("B") + q("C"), (10000, 10), {"A": 6000, "B": 2000, "C": 2000}),
    Row("E4 and testFairShareWithLowMaxResources",
        q("A", w=".75", hi="1024 mb, 1 vcores") + q("B", w=".25", hi="3072 mb, 3 vcores"), (8192, 8),
        {"A": 1024, "B": 1433, "default": 5735}, {"A": 1024, "B": 3072, "default": 0}, "A B", "3.3"),
    Row("E5", q("A", w="0", lo="1000 mb, 0 vcores") + q("B") + q("Z", w="0"), (10000, 10),
        {"A": 1000, "B": 9000, "Z": 0}),
    Row("E5b", q("A", w="0", lo="12000 mb, 0 vcores") + q("B") + q("C", lo="500 mb, 0 vcores"), (10000, 10),
        {"A": 12000, "B": 0, "C": 500}),
    Row("E6", q("A", lo="4000 mb, 0 vcores", hi="2000 mb, 9 vcores") + q("B"), (6000, 10), {"A": 4000, "B": 2000}),
    Row("E6 in 2.7", q("A", lo="4000 mb,0 vcores", hi="2000 mb,9 vcores") + q("B") + q("default", w="0"),
        (6000, 10), {"A": 2000, "B": 4000, "default": 0}, hadoop="2.7"),
    Row("E7", q("A", lo="6000 mb, 0 vcores") + q("B", lo="5000 mb, 0 vcores") + q("C"), (8192, 8),
        {"A": 6000, "B": 5000, "C": 0}),
    Row("E7 with a heavy C", q("A", lo="6000 mb, 0 vcores") + q("B", lo="5000 mb, 0 vcores") + q("C", w="1e8"),
        (8192, 8), {"A": 6000, "B": 5000, "C": 2}),
    Row("E8", E8, (16384, 10),
        {"A": (13108, 8), "A1": (3277, 2), "A4": (3277, 2), "B": (1638, 1), "B1": (819, 1), "default": (1638, 1)},
        {"A": (13108, 8), "A1": (6554, 4), "A2": (6554, 4), "A3": (0, 0), "B": (1638, 1), "B1": (1638, 1),
         "B2": (0, 0), "default": (1638, 1)}, "A.A1 A.A2 B.B1 default", "3.3"),
    Row("E9", P, (10000, 10), {"P": 3000, "P.a": 2500, "P.b": 500, "S": 7000}),
    Row("E10", P10, (10000, 10), {"P": 3000, "P.a": 2500, "P.b": 1000, "S": 7000}),
    Row("E11", E11 + q("C", hi="65536 mb, 16 vcores"), (1048576, 256, 10),
        {"A": (245760, 60, 3), "B": (491520, 120, 6), "C": (65536, 16, 0), "default": (245760, 60, 3)},
        {"A": (327680, 80, 3), "B": (655360, 160, 7), "C": (65536, 16, 0), "default": (0, 0, 0)},
        "A B C", "3.3", GPU),
    Row("E11b", E11 + q("C", hi="memory-mb=65536,vcores=16"), (1048576, 256, 10),
        {"A": (327680, 80, 3), "B": (655360, 160, 6), "C": (65536, 16, 3)}, types=GPU),
    Row("E11c", DRF + q("A", hi="memory-mb=4096") + q("B"), (16384, 16), {"A": (4096, 0), "B": (12288, 16)}),
    Row("E12", DRF + q("A") + q("B") + q("C"), (10240, 10), {"A": (3414, 4), "B": (3414, 4), "C": (3414, 4)}),
    Row("E12b", DRF + q("A") + q("B"), (1025, 1), {"A": (513, 1), "B": (513, 1)}),
    Row("E12c", DRF + "".join(q(name) for name in "ABCDEFG"), (100000, 5), dict.fromkeys("ABCDEFG", (14286, 1))),
    Row("E12d", DRF + q("A") + q("B", w="2") + q("C", w="4"), (1000, 10),
        {"A": (143, 1), "B": (286, 3), "C": (572, 6)}),
    Row("E12e", DRF + q("A", w=".1") + q("B", w=".2") + q("C", w=".7"), (1000, 10),
        {"A": (100, 1), "B": (200, 2), "C": (700, 7)}),
    Row("E13", q("A") + q("B", w="2"), (2**62, 1), {"A": 1537228718622113792, "B": 3074457437244227584}),
    Row("E13, three equal", q("A") + q("B") + q("C"), (2**62, 1), dict.fromkeys("ABC", 1537228718622113792)),
    Row("E13b", q("A", hi=f"memory-mb={2**53 + 3}, vcores=1"), (2**62, 1), {"A": 9007199254740996}),
    Row("E14", q("A") + q("B", w="2"), (10**9, 1), {"A": 333333344, "B": 666666688}),
    Row("E14, three equal", q("A") + q("B") + q("C"), (10**9, 1), dict.fromkeys("ABC", 333333344)),
    Row("E14b", q("A") + q("B", w="1000") + q("C", w="1000"), (100000003, 1),
        {"A": 49975, "B": 49975015, "C": 49975015}),
    Row("E14c", q("A", w=".3") + q("B", w=".7"), (838860800, 1), {"A": 251658250, "B": 587202550}),
    Row("E14c, smaller", q("A", w=".3") + q("B", w=".7"), (100000000, 1), {"A": 30000002, "B": 70000001}),
    Row("E16", DRF + q("A", w="9", hi="29%") + q("B"), (1000, 100), {"A": (290, 28), "B": (710, 72)}),
    Row("E17", DRF + q("P", q("a", policy="fair") + q("b", policy="fifo"), policy="fair") + q("S"), (10000, 10),
        {"P": (5000, 5), "P.a": (2500, 0), "P.b": (2500, 0), "S": (5000, 5)}),
    Row("E20", q("A", w=".3") + q("B", w=".3") + q("C", w=".3"), (1000, 1), {"A": 334, "B": 334, "C": 334}),
    Row("E20, two of weight 5", q("A", w="5") + q("B", w="5"), (3, 1), {"A": 2, "B": 2}),
    Row("testSimpleFairShareCalculation", q("queue1") + q("queue2"), (10240, 10),
        {"queue1": 3414, "queue2": 3414, "default": 3414}, hadoop="3.3"),
    Row("testSimpleHierarchicalFairShareCalculation", q("parent", q("queue2") + q("queue3")), (240, 10),
        {"default": 120, "parent": 120, "parent.queue2": 60, "parent.queue3": 60}, hadoop="3.3"),
    Row("testFairShareWithZeroWeight", q("A", w="0") + q("B", w="0"), (8192, 8), {"A": 0, "B": 0}),
    Row("testFairShareWithZeroWeightNoneZeroMinRes",
        q("A", w="0", lo="1 mb 1 vcores") + q("B", w="0", lo="1 mb 1 vcores"), (8192, 8), {"A": 1, "B": 1}),
    Row("testFairShareWithNoneZeroWeightNoneZeroMinRes",
        q("A", w=".5", lo="1024 mb 1 vcores") + q("B", w=".5", lo="1024 mb 1 vcores"), (8192, 8),
        {"A": 4096, "B": 4096}),
    Row("testFairShareWithMinAlloc", q("A", lo="1024 mb, 0 vcores") + q("B", lo="2048 mb, 0 vcores"), (3072, 3),
        {"A": 1024, "B": 2048}),
    Row("testSteadyFairShareWithReloadAndNodeAddRemove",
        DRF + q("child1") + q("child2", w="2") + q("child3", w="2"), (6144, 6),
        {"child1": 1024, "child2": 2048, "child3": 2048, "default": 1024}, hadoop="3.3"),
    Row("the same, before the reload", DRF + q("child1") + q("child2"), (6144, 6),
        {"child1": 2048, "child2": 2048, "default": 2048}, hadoop="3.3"),
    Row("the same, without a node", DRF + q("child1") + q("child2"), (0, 0),
        {"child1": 0, "child2": 0, "default": 0}, hadoop="3.3"),
    Row("testSteadyFairShareWithQueueCreatedRuntime, before", "", (6144, 6), {"default": 6144}, hadoop="3.3"),
    Row("the same, when user1 is there", q("user1"), (6144, 6), {"default": 3072, "user1": 3072}, hadoop="3.3"),
    Row("testFairShareAndWeightsInNestedUserQueueRule, when the queues of the users are there",
        q("parentq", q("user1") + q("user2"), lo="1024 mb, 0 vcores"), (16384, 16),
        {"parentq.user1": 4096, "parentq.user2": 4096, "default": 8192}, hadoop="3.3"),
    Row("TestFairSchedulerFairShare, three of parentA", E8.replace(DRF, ""), (16384, 16),
        {"A": 13108, "A.A1": 3277, "B": 1638},
        {"A": 16384, "A.A1": 5462, "A.A2": 5462, "A.A3": 5462, "A.A4": 0, "B": 0},
        "A.A1 A.A2 A.A3", "3.3"),
]  # fmt: skip


def check(found: dict[str, Amount], wanted: dict[str, int | Amount]) -> None:
    short = {name.rpartition(".")[2]: amount for name, amount in found.items()}
    for name, value in wanted.items():
        amount = found.get(name, short.get(name))
        assert amount is not None, name
        assert (amount if isinstance(value, tuple) else amount[0]) == value, name


@pytest.mark.parametrize("row", ROWS, ids=[row.label for row in ROWS])
def test_worked_example(row: Row) -> None:
    _, shares = shares_of(row.file, row.cluster, row.active, row.hadoop, row.types)
    check(by_name(shares, shares.steady), row.steady)
    check(by_name(shares, shares.instantaneous), row.now or row.steady)


def test_e8_with_one_active_leaf_gives_it_all() -> None:
    _, shares = shares_of(E8.replace(DRF, ""), (16384, 10), "A.A1", "3.3")
    assert by_name(shares, shares.instantaneous)["A.A1"] == (16384, 0)


def test_no_active_queue_has_no_instantaneous_share() -> None:
    _, shares = shares_of(E8, (16384, 10), "", "3.3")
    assert set(by_name(shares, shares.instantaneous).values()) == {(0, 0)}


@pytest.mark.parametrize("hadoop", ["2.8", "2.9", "3.0", "3.1.1", "3.2.0"])
def test_e15_int_sums_make_a_capped_queue_hide_the_rest(hadoop: str) -> None:
    """In line M an unlimited queue behind a capped one wraps the sum of the maxima: the order of creation decides."""
    capped = {name: q(name, hi="1000 mb, 1000 vcores") + q(other) for name, other in (("A", "B"), ("B", "A"))}
    first = [
        by_name(run, run.steady)
        for _, run in (shares_of(file + q("default", w="0"), (10000, 10), hadoop=hadoop) for file in capped.values())
    ]
    found = [sorted(amounts[name][0] for name in "AB") for amounts in first]
    assert [500, 500] in found
    assert [1000, 9000] in found or found == [[500, 500], [500, 500]]


def test_e13b_hang_is_reported() -> None:
    with pytest.raises(Hangs) as caught:
        shares_of(q("A", hi=f"memory-mb={2**53 + 1}, vcores=1"), (2**62, 1))
    assert str(caught.value) == "the steady shares of memory-mb below root"


def test_nan_weight_hangs_and_names_the_parent() -> None:
    with pytest.raises(Hangs) as caught:
        shares_of(q("P", q("x", w="NaN")), (1000, 1))
    assert caught.value.queue.name == "root.P"


# -- before any node has joined, Hadoop up to 3.1.1 and 3.2.0 seeks steady shares with sums that wrap

LARGE = "2147483647 mb, 1 vcores"


@pytest.mark.parametrize(
    ("hadoop", "inner", "hangs"),
    [
        ("2.7", q("A", lo=LARGE), True),
        ("2.8", q("A", lo=LARGE), True),  # beside root.default
        ("2.8", q("A", lo=LARGE) + q("B"), False),  # three of them wrap twice
        ("2.8", q("P", q("A", q("x") + q("y")) + q("B", w="1e30") + q("C")), True),  # x and y can not fill A's share
        ("2.10", q("A", lo=LARGE), False),
        # A is a leaf first, and there when B is made; then it is replaced
        ("2.7", q("A") + q("A", q("x")) + q("B", lo=LARGE), True),
        ("2.7", q("P", q("x", w="NaN") + q("y"), lo="10 mb, 1 vcores"), True),
    ],
)
def test_sums_that_wrap_at_the_start(hadoop: str, inner: str, hangs: bool) -> None:
    tree = tree_of(inner, hadoop)
    if hangs:
        with pytest.raises(Hangs):
            solve(tree, (0, 0))
    else:
        solve(tree, (0, 0))


@pytest.mark.parametrize(("hadoop", "vcores"), [("2.7", 1), ("2.8", 1), ("2.9", 0)])
def test_a_queue_keeps_the_vcores_of_the_policy_it_begins_with(hadoop: str, vcores: int) -> None:
    inner = q("P", q("A", lo="6 mb, 1 vcores", policy="fair"), policy="fair")
    _, shares = shares_of(DRF + inner, (100, 100), hadoop=hadoop)
    assert by_name(shares, shares.steady)["P.A"] == (50, vcores)
    assert by_name(shares, shares.instantaneous)["P.A"] == (50, 0)


# -- applications (E18), room for masters (E19, testComputeMaxAMResource)


def app_amounts(policy: str, demands: list[int], sized: bool) -> list[Amount]:
    tree, shares = shares_of(q("A", policy=policy), (8192, 8), "A")
    apps = [App(f"a{n}", "root.A", (mb, 1), start=10 * n) for n, mb in enumerate(demands, 1)]
    return app_shares(tree, shares, apps, [""] * len(apps), sized)


def test_e18_three_equal_applications() -> None:
    assert app_amounts("fair", [0, 0, 0], sized=False) == [(2731, 0)] * 3


def test_e18b_size_based_weight() -> None:
    assert app_amounts("fair", [1024, 4096, 0], sized=True) == [(3724, 0), (4468, 0), (0, 0)]


def test_e18c_fifo_gives_all_to_the_earliest() -> None:
    tree, shares = shares_of(DRF + q("A", policy="fifo"), (8192, 8), "A")
    late, early = App("late", "root.A", (0, 0), 20), App("early", "root.A", (0, 0), 10)
    assert app_shares(tree, shares, [late, early], ["", ""]) == [(0, 0), (8192, 8)]


def test_a_full_queue_asks_no_more_of_its_applications_up_to_2_8() -> None:
    tree, shares = shares_of(q("A", hi="1000 mb, 5 vcores"), (8192, 8), "A", "2.8")
    apps = [App("first", "root.A", (5000, 9)), App("second", "root.A", (5000, 9))]
    assert app_shares(tree, shares, apps, ["", ""], size_based=True) == [(1000, 0), (0, 0)]
    assert app_shares(tree, shares, apps[::-1], ["", "maxRunningApps"], size_based=True) == [(1000, 0), (0, 0)]
    newer, shares = shares_of(q("A", hi="1000 mb, 5 vcores"), (8192, 8), "A", "2.9")
    assert app_shares(newer, shares, apps, ["", ""], size_based=True) == [(500, 0), (500, 0)]


def test_a_full_parent_asks_no_further_child_up_to_2_8() -> None:
    inner = q("P", q("A") + q("B"), hi="1000 mb, 5 vcores") + q("C")
    tree, shares = shares_of(inner, (9000, 8), "P.A P.B C", "2.7")
    first, second = (child.name for child in tree.queues["root.P"].children)
    apps = [App("1", first, (5000, 9)), App("2", second, (5000, 9)), App("3", "root.C", (5000, 9))]
    assert app_shares(tree, shares, apps, [""] * 3, size_based=True) == [(500, 0), (0, 0), (8000, 0)]


def test_vcores_of_applications_are_kept_in_32_bits() -> None:
    tree, shares = shares_of(DRF + q("A", policy="drf"), (LONG_MAX, INT_MAX), "A")
    assert app_shares(tree, shares, [App("a", "root.A", (0, 0))], [""]) == [(LONG_MAX, INT_MAX)]


def room(inner: str, share: Amount, free: Amount, hadoop: str = "3.4", most: Amount | None = None) -> Amount | None:
    tree = tree_of(inner, hadoop)
    queue = tree.queues["root.A"]
    return am_limit(tree, queue, share, most or tree.max_at(queue, (0, 0)), free)


def test_e19_zero_share_takes_what_is_free() -> None:
    part = "<queueMaxAMShareDefault>.2</queueMaxAMShareDefault>" + q("A")
    assert room(part, (10240, 0), (20480, 19)) == (2049, 4)
    assert room(part, (10240, 0), (20480, 19), "2.8") == (2048, INT_MAX)  # vcores are not looked at


@pytest.mark.parametrize(
    ("tenths", "limit"), list(enumerate((101, 201, 301, 401, 500, 601, 700, 801, 900), 1))
)
def test_float_widening_shows_in_the_limit(tenths: int, limit: int) -> None:
    file = q("A", f"<maxAMShare>.{tenths}</maxAMShare>")
    found = room(file, (1000, 1000), (1000, 1000))
    assert found is not None
    assert found[0] == limit


def test_compute_max_am_resource() -> None:
    half = "<queueMaxAMShareDefault>.5</queueMaxAMShareDefault>" + DRF
    capped = q("A", w="0", hi="4096 mb, 4 vcores")
    assert room(half + capped, (0, 0), (20480, 20)) == (2048, 2)
    assert room(half + q("A", w="0"), (0, 0), (19456, 19)) == (9728, 10)
    assert room(q("A", "<maxAMShare>-1</maxAMShare>"), (1, 1), (1, 1)) is None


def test_custom_types_in_the_room_for_masters() -> None:
    def limit(hadoop: str) -> Amount | None:
        tree = tree_of(q("A"), hadoop, GPU)
        return am_limit(tree, tree.queues["root.A"], (1000, 0, 0), (LONG_MAX,) * 3, (1000, 10, 5))

    assert limit("3.4") == (500, 5, 3)
    assert limit("3.2") == (500, 5, 0)  # custom types are neither replaced nor multiplied up to 3.2


@pytest.mark.parametrize(("hadoop", "count"), [("3.4", 50), ("2.8", 0)])
def test_field_report_03_weight_zero(hadoop: str, count: int) -> None:
    tree, shares = shares_of(q("prod") + q("spare", w="0"), (102400, 50), "spare", hadoop)
    queue = tree.queues["root.spare"]
    assert by_name(shares, shares.instantaneous)["spare"] == (0, 0)
    limit = am_limit(tree, queue, (0, 0), tree.max_at(queue, (102400, 50)), (102400, 50))
    assert limit == ((51200, 25) if hadoop == "3.4" else (0, INT_MAX))
    fit = masters_that_fit(tree, queue, (0, 0), tree.max_at(queue, (102400, 50)), (102400, 50), (1024, 1))
    assert (fit is not None and fit > 0) == (count > 0)


@pytest.mark.parametrize(("hadoop", "wanted"), [("3.4", (4096, 1)), ("2.8", (4096, 0))])
def test_field_report_05_one_vcore(hadoop: str, wanted: Amount) -> None:
    tree, shares = shares_of(DRF + q("q") + q("default", w="0"), (8192, 1), "q", hadoop)
    queue = tree.queues["root.q"]
    share = by_name(shares, shares.instantaneous)["q"]
    assert am_limit(tree, queue, share, tree.max_at(queue, (8192, 1)), (8192, 1)) == wanted


def test_field_report_01_only_active_queues_share() -> None:
    children = "".join(q(f"c{n}") for n in range(1, 11))
    tree, shares = shares_of(q("low", w="2") + q("high", children, w="8"), (1024000, 1000), "low high.c1")
    steady, now = by_name(shares, shares.steady), by_name(shares, shares.instantaneous)
    assert (steady["low"][0], steady["high.c1"][0]) == (204800, 81920)
    assert (now["low"][0], now["high.c1"][0]) == (204800, 819200)
    assert tree.preemption(tree.queues["root.high.c1"], "fairSharePreemptionThreshold").value == 0.5


# -- the wide path


def test_many_sizes_equal_one_by_one() -> None:
    file = E8 + q("C", hi="30%", lo="100 mb, 1 vcores")
    tree = tree_of(file, "3.3")
    sizes = [(1000 + 37 * step, 10 + step) for step in range(400)]
    leaves = frozenset({"root.A.A1", "root.B.B2", "root.C"})
    many = solve_many(tree, sizes, leaves)
    alone: list[Shares] = [solve(tree, size, leaves) for size in sizes]
    assert many == alone


@pytest.mark.parametrize("hadoop", ["2.7", "2.8", "3.4"])
def test_wide_tree_equals_small_parts(hadoop: str) -> None:
    """A level of thousands goes through numpy; the same parents alone go through the loop."""
    parts = ["".join(q(f"x{n}", w=str(1 + (n * part) % 7)) for n in range(80)) for part in range(1, 81)]
    whole = "".join(q(f"p{number}", inner) for number, inner in enumerate(parts)) + q("default", w="0")
    _, shares = shares_of(whole, (10_000_000, 10_000), hadoop=hadoop)
    found = by_name(shares, shares.steady)
    for number in (0, 41, 79):
        total = found[f"p{number}"]
        _, alone = shares_of(parts[number] + q("default", w="0"), total, hadoop=hadoop)
        small = by_name(alone, alone.steady)
        assert {name: found[f"p{number}.{name}"] for name in small if name != "default"} == {
            name: amount for name, amount in small.items() if name != "default"
        }


def test_int_sums_can_keep_an_old_hadoop_from_starting() -> None:
    """Found by comparing with 2.7.7: a minimum of 2^31-1 MB wraps the first sum, before any node has joined."""
    file = q("a", q("b", hi="1 mb, 50 vcores")) + q("d", lo="2147483647 mb, 200 vcores")
    with pytest.raises(Hangs):
        shares_of(DRF + file, (9961472, 10880), hadoop="2.7")
    _, shares = shares_of(DRF + file, (9961472, 10880), hadoop="3.4")
    assert by_name(shares, shares.steady)["d"][0] == 2147483647
