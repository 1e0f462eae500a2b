"""What makes random cases, compares and shrinks them; Hadoop is played by a function here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from fairsim.profiles import profile
from tests.oracle.ask import Request
from tests.oracle.cases import make_case
from tests.oracle.compare import Difference, differences
from tests.oracle.features import chosen, features
from tests.oracle.grammar import Grower
from tests.oracle.modes import MODES, answered
from tests.oracle.mutate import mutated, sources
from tests.oracle.reasons import agree
from tests.oracle.shrink import shrink
from tests.oracle.spans import attributes, elements, pieces, without

V34 = profile("3.4")


# --- cases


def test_a_seed_gives_the_same_case_again() -> None:
    assert make_case(7, V34) == make_case(7, V34)
    assert make_case(7, V34) != make_case(8, V34)


def test_old_versions_have_no_custom_types_and_small_numbers() -> None:
    for seed in range(200):
        case = make_case(seed, profile("2.7"))
        assert not case.custom
        assert max(case.cluster.values()) <= 2_000_000_000


@pytest.mark.parametrize("hadoop", ["2.7", "2.10", "3.1", "3.2", "3.4"])
def test_cases_are_neither_all_refused_nor_all_loaded(hadoop: str) -> None:
    version, mode = profile(hadoop), MODES["load"]
    found = [answered(mode, mode.make(make_case(seed, version), version), version) for seed in range(150)]
    assert 40 < sum("queues" in answer for answer in found) < 120
    assert not [answer for answer in found if "fault" in answer]


def test_real_files_are_changed_and_mostly_still_read() -> None:
    files = [file for file in sources() if file[0] == "departments.xml"]
    assert files
    random = Random(1)  # noqa: S311 - repeatable, not secret
    grower = Grower(random, V34.features, [], wild=True)
    made = [mutated(files[0][1], files, random, grower) for _ in range(50)]
    assert len(set(made)) > 45
    assert sum(b"</allocations>" in data for data in made) > 30


@pytest.mark.parametrize("mode", MODES)
def test_fairsim_answers_every_case(mode: str) -> None:
    for seed in range(60):
        case = make_case(seed, V34, real=True)
        answer = answered(MODES[mode], MODES[mode].make(case, V34), V34)
        assert "fault" not in answer, (seed, answer)


# --- places in a file


def test_elements_of_a_broken_file() -> None:
    text = "<a><b x='1'>t</b><!-- <c> --><d><e/></a>"
    found = {span.tag: text[span.start : span.end] for span in elements(text)}
    assert found == {"b": "<b x='1'>t</b>", "e": "<e/>", "a": text}
    assert [text[start:end] for start, end in attributes(text)] == [" x='1'"]
    assert "".join(text[start:end] for start, end in pieces(text)) == text
    assert without("abcdef", [(4, 5), (1, 3), (2, 3)]) == "adf"


# --- differences


def test_differences_name_queue_and_field() -> None:
    theirs = {"queues": {"root": [1, 2], "root.a": [3, 4]}, "config": {"x": {"y": 1}}}
    ours = {"queues": {"root": [1, 5], "root.b": [3, 4]}, "config": {"x": {"y": 2}}}
    assert differences(theirs, ours, ("f", "g")) == [
        Difference("config x", "y", 1, 2), Difference("root", "g", 2, 5),
        Difference("root.a", "exists", True, False), Difference("root.b", "exists", False, True),
    ]  # fmt: skip
    assert str(Difference("root", "g", 2, 5)) == "root g: Hadoop 2, fairsim 5"
    assert differences(theirs, theirs, ("f", "g")) == []


def test_verdicts_are_compared() -> None:
    loads = {"queues": {"root": [1]}}
    assert [one.field for one in differences({"hang": True}, loads, ("f",))] == ["verdict"]
    assert differences({"hang": True}, {"unknown": "FS123"}, ()) == []
    why = {"refused": "NumberFormatException: x"}
    assert differences(why, {"refused": "FS401"}, ()) == []
    assert [one.field for one in differences(why, {"refused": "FS102"}, ())] == ["reason of FS102"]
    assert agree("FS311", "AllocationConfigurationException: Missing resource: mb")


# --- shrinking


def test_a_request_is_shrunk_to_what_matters() -> None:
    inner = "".join(f'<queue name="q{number}"><weight>{number}</weight></queue>' for number in range(30))
    request: Request = {
        "mode": "shares", "alloc": f"<?xml version='1.0'?>\n<allocations><!-- c -->{inner}</allocations>",
        "site": {"a": "1", "b": "2"}, "apps": {"root.q1": [{"user": "u"}, {}], "root.q2": [{}]},
        "cluster": {"memory-mb": 123456, "vcores": 77},
    }  # fmt: skip

    def differ(requests: Sequence[Request]) -> list[bool]:
        return [
            bool(re.search(r"<weight>1\d*7", one["alloc"]) and one.get("apps") and one["cluster"]["vcores"] > 5)
            for one in requests
        ]

    small = shrink(request, ("site", "apps"), differ)
    assert small["alloc"].startswith("<weight>17")
    assert len(small["alloc"]) < 20
    assert small["cluster"] == {"memory-mb": 0, "vcores": 10}
    assert "site" not in small
    assert len(small["apps"]) == 1


# --- a choice of cases


def test_cases_that_show_more_are_chosen_first() -> None:
    sets = [{"a"}, {"a"}, {"a", "b"}, {"c"}]
    assert chosen(sets, [1, 1, 5, 9], 3) == [0, 2, 3]
    assert chosen(sets, [1, 1, 5, 9], 9) == [0, 1, 2, 3]


def test_features_of_a_case() -> None:
    request = {"alloc": '<allocations><queue name="a"><weight>12</weight></queue></allocations>', "site": {"x": "y"}}
    found = features(request, {"refused": "NumberFormatException: 12"}, ())
    assert {"site x=y", "queue > weight", "weight: 9", "queue name=a", "queue of ['weight']"} <= found
    assert any("verdict" in one for one in found)
