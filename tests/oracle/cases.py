"""Random allocation files, clusters and active queues, one for each seed: what fairsim and Hadoop are both asked.

Grown from the grammar of the file. About half of the files are tame (every value sensible), the rest have what people
and broken templates write. Standard library only; the same seed gives the same case everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

GPU = "yarn.io/gpu"


class Case(NamedTuple):
    """One question: the file, the cluster by resource type, the places of the active leaves, the custom types.

    `active` are numbers from 0 to 1: which leaves they stand for is known only after the file is loaded.
    """

    seed: int
    alloc: str
    cluster: dict[str, int]
    active: tuple[float, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """Returns the names of the resource types, Hadoop's own two first."""
        return tuple(self.cluster)

    def plain(self) -> Case:
        """Returns the case for the lines before 2.10: no custom types, and a cluster that 32 bits can count."""
        most = 2_000_000_000
        return self._replace(cluster={name: min(size, most) for name, size in self.cluster.items() if name != GPU})


def make_case(seed: int) -> Case:
    """Returns the case of this seed."""
    random = Random(seed)  # noqa: S311 - repeatable, not secret
    gpu = random.random() < 0.25
    scale = random.choice((1, 1, 1, 64, 4096))
    cluster = {"memory-mb": 8192 * random.randint(1, 100) * scale, "vcores": random.randint(1, 400) * scale}
    if random.random() < 0.1:
        cluster = {"memory-mb": random.randint(0, 3000), "vcores": random.randint(0, 5)}
    if gpu:
        cluster[GPU] = random.randint(0, 16)
    grower = _Grower(random, gpu, wild=random.random() < 0.45)
    alloc = grower.file()
    active = tuple(round(random.random(), 3) for _ in range(random.choice((0, 1, 2, 3, 5, 8))))
    return Case(seed, alloc, cluster, active)


def pick(leaves: Sequence[str], active: Sequence[float]) -> list[str]:
    """Returns the leaves that the numbers stand for, without repeats, in their order."""
    chosen = {int(place * len(leaves)) for place in active}
    return [leaf for index, leaf in enumerate(leaves) if index in chosen]


class _Grower:
    """Grows one file."""

    def __init__(self, random: Random, gpu: bool, wild: bool):
        self.random = random
        self.gpu = gpu
        self.wild = wild
        few = ["a", "b", "c", "d", "e", "default", "users", "prod", "AaAa", "AaBB", "BBBB"]
        self.names = few if self.chance(0.5) else [f"q{number}" for number in range(60)]
        if wild:
            self.names = [*self.names, " a ", "root", "ROOT", "a b", "été", "\u00a0a", "Default", "zz"]
            if self.chance(0.1):
                self.names += ["a.b", ""]

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    # -- values

    def resource(self) -> str:
        memory = self.random.choice((0, 1, 512, 1024, 4096, 100_000, 819_200, 2_000_000, 2_147_483_647))
        vcores = self.random.choice((0, 1, 2, 7, 50, 200, 1000))
        shape = self.random.random()
        if shape < 0.55:
            form = self.one(
                "{} mb, {} vcores", "{} mb,{}vcores", "{}mb {} vcores", "{} MB, {} Vcores", "{}.5 mb, {}.9 vcores"
            )  # fmt: skip
            return form.format(memory, vcores)
        if shape < 0.68:
            return self.one("50%", "33.3%", "10% memory, 20% cpu", "150%", "0%", "29 %", "57%", "100% cpu, 50% memory")
        if shape < 0.84:
            pairs = [f"memory-mb={memory}", f"vcores={vcores}", "memory-mb=50%", "vcores=25%, memory-mb=10%"]
            pairs += [f"memory-mb={memory}, vcores={vcores}"] * 3
            if self.gpu:
                pairs += [f"memory-mb={memory},vcores={vcores},{GPU}=3", f"{GPU}=2", f"{GPU}=25%"]
            return self.one(*pairs)
        if shape < 0.88 and self.wild:
            return self.one(
                "-1 mb, 2 vcores", "1 gb, 2 vcores", "1024", "50% mb", " ", "1,024 mb, 2 vcores", "50% memory",
                "x 1024 mb, 2 vcores", "9999999999 mb, 1 vcores", "memory-mb=9999999999,vcores=3",
                "memory-mb=-5,vcores=3", "1024 mb", "1 mb, 2 vcores, 3 gpu", "tpu=3", "memory-mb=1,vcores=2,",
            )  # fmt: skip
        return f"{memory} mb, {vcores} vcores"

    def number(self, tame: Sequence[str], odd: Sequence[str]) -> str:
        return self.random.choice([*tame, *odd] if self.wild else list(tame))

    def field(self, tag: str, value: str) -> str:
        return f"<{tag}>{value}</{tag}>"

    def fields(self, leaf: bool) -> str:
        parts = []
        if self.chance(0.6):
            odd: tuple[str, ...] = ("1e3", "2.5f", "1e-3")
            if self.chance(0.2):
                odd = ("-1", "1e30", "Infinity", "NaN", "abc", "0x1p2", "1d")
            parts.append(self.field("weight", self.number(("1", "2", "3.0", ".3", "0.7", "10", "0", "0.25"), odd)))
        for tag, part in (("minResources", 0.35), ("maxResources", 0.4), ("maxChildResources", 0.05),
                          ("maxContainerAllocation", 0.05)):  # fmt: skip
            if self.chance(part):
                parts.append(self.field(tag, self.resource()))
        if self.chance(0.2):
            tag = self.one("schedulingPolicy", "schedulingPolicy", "schedulingMode")
            word = "bogus" if self.chance(0.1) else " Fair "
            parts.append(self.field(tag, self.number(("fair", "drf", "fifo", "DRF", "FIFO"), (word,))))
        if self.chance(0.2):
            parts.append(self.field("maxRunningApps", self.number(("500", "1000", "10000"), ("0", "0", "-1"))))
        if leaf and self.chance(0.2):
            parts.append(self.field("maxAMShare", self.number(("0.1", "0.5", "1.0", "-1", "0.3", "2"), ("-1.0f", "0"))))
        if self.chance(0.15):
            parts.append(self.preemption())
        if self.wild and self.chance(0.06):
            parts.append(self.oddity())
        self.random.shuffle(parts)
        return "".join(parts)

    def preemption(self) -> str:
        return self.one(
            self.field("minSharePreemptionTimeout", self.number(("10", "0"), ("9223372036854775807", "-5", "10s"))),
            self.field("fairSharePreemptionTimeout", self.number(("10", "0", "60"), ("1.5",))),
            self.field("fairSharePreemptionThreshold", self.number((".1", ".8", "2", "-1", ".3333333333"), ("NaN",))),
            self.field("allowPreemptionFrom", self.number(("true", "false"), ("yes", "FALSE"))),
        )

    def oddity(self) -> str:
        return self.one(
            "<weigth>3</weigth>", "<weight/>", "<weight><!-- c -->5<!-- d -->1</weight>",
            "<weight><![CDATA[4]]></weight>", "<weight> <![CDATA[4]]></weight>", "<weight>2<b/>5</weight>",
            "<weight><?p i?>2</weight>", "<userMaxAppsDefault>3</userMaxAppsDefault>", "<reservation/>",
            "<maxAMShare>0.5</maxAMShare>", "<weight>2</weight><weight>3</weight>",
        )  # fmt: skip

    # -- structure

    def queue(self, depth: int) -> str:
        tag = "pool" if self.chance(0.1) else "queue"
        if self.wild and depth and self.chance(0.03):
            tag = self.one("ue", "e", "eue")
        leaf, children = True, ""
        if depth < 3 and self.chance((0.45, 0.35, 0.2)[depth]):
            leaf = False
            children = "".join(self.queue(depth + 1) for _ in range(self.random.randint(1, 4)))
        typed = self.chance(0.07)
        fields = self.fields(leaf and not typed)
        inner = fields + children if self.chance(0.7) else children + fields
        kind = ' type="parent"' if typed else ""
        return f'<{tag} name="{self.one(*self.names)}"{kind}>{inner}</{tag}>'

    def file(self) -> str:
        body = "".join(self.queue(0) for _ in range(self.random.randint(1, 5)))
        if self.chance(0.3):
            name = self.one("root", "root", "root", "ROOT", " root ") if self.wild else "root"
            body = f'<queue name="{name}">{self.fields(leaf=False)}{body}</queue>'
        parts = [self.top(), body]
        self.random.shuffle(parts)
        text = f"<allocations>{''.join(parts)}</allocations>"
        if self.wild and self.chance(0.04):
            text = "<!DOCTYPE allocations>" + text
        if self.wild and self.chance(0.03):
            place = self.random.randrange(len(text))
            text = text[:place] + self.one("<", ">", "&", "", "x", '"', "]]>") + text[place + 1 :]
        return text

    def top(self) -> str:
        bad = ("x",) if self.chance(0.2) else ()
        choices = [
            (0.2, "defaultQueueSchedulingPolicy", self.number(("drf", "fair", "DRF"), ("fifo",))),
            (0.12, "queueMaxResourcesDefault", self.resource()),
            (0.08, "queueMaxAppsDefault", self.number(("1000", "3000"), ("0", *bad))),
            (0.1, "queueMaxAMShareDefault", self.number(("0.1", "0.8", "-1"), bad)),
            (0.08, "defaultMinSharePreemptionTimeout", self.number(("10", "60"), bad)),
            (0.08, "fairSharePreemptionTimeout", self.number(("10", "70"), bad)),
            (0.08, "defaultFairSharePreemptionTimeout", self.number(("20", "80"), bad)),
            (0.08, "defaultFairSharePreemptionThreshold", self.number((".1", ".7"), bad)),
            (0.05, "userMaxAppsDefault", self.number(("1000",), bad)),
            (0.03, "nonsense", "1"),
        ]
        parts = [self.field(tag, value) for part, tag, value in choices if self.chance(part)]
        if self.chance(0.05):
            parts.append(f'<user name="u">{self.field("maxRunningApps", self.number(("1000",), bad))}</user>')
        if self.chance(0.3):
            parts.append(self.placement())
        self.random.shuffle(parts)
        return "".join(parts)

    # -- placement rules (their load-time checks)

    def placement(self) -> str:
        if self.wild and self.chance(0.05):
            return self.one("<queuePlacementPolicy/>", "<queuePlacementPolicy> </queuePlacementPolicy>")
        rules = "".join(self.rule(0) for _ in range(self.random.randint(1, 3)))
        if self.chance(0.85):
            last = self.one("default", "reject", 'default" create="false')
            rules += f'<rule name="{last}"/>'
        return f"<queuePlacementPolicy>{rules}</queuePlacementPolicy>"

    def rule(self, depth: int) -> str:
        name = self.one(
            "specified", "specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue",
            "default", "reject", *(("usre",) if self.wild and self.chance(0.05) else ()),
        )  # fmt: skip
        flag = self.one("", "", ' create="false"', ' create="false"', ' create="true"', ' create="no"')
        queue = self.one("", ' queue="x"', ' queue="root.a"', ' queue=" a"') if name == "default" else ""
        inner = ""
        if depth < 2 and self.chance(0.8 if name == "nestedUserQueue" else 0.05):
            inner = "".join(self.rule(depth + 1) for _ in range(self.random.choice((1, 1, 1, 2))))
        tag = self.one("Rule", "foo") if self.wild and self.chance(0.05) else "rule"
        return f'<{tag} name="{name}"{flag}{queue}>{inner}</{tag}>'
