"""Random allocation files, grown from the grammar of the file.

About half of the files are tame (every value sensible), the rest have what people and broken templates write. What a
Hadoop version does not know is written rarely: it refuses the file. The same random numbers give the same file.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fairsim.profiles import Features

GPU = "yarn.io/gpu"
FPGA = "fpga"
_LAST = (
    '<rule name="default"/>', '<rule name="reject"/>', '<rule name="default" queue="x.y"/>', '<rule name="user"/>',
    '<rule name="primaryGroup" create="true"/>', '<rule name="default" queue=" a"/>',
)  # fmt: skip


class Grower:
    """Grows one file for a Hadoop version."""

    def __init__(self, random: Random, features: Features, types: Sequence[str], wild: bool):
        self.random = random
        self.features = features
        self.types = types
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
        known = 0.84 if self.features.name_value_resources else 0.68 if self.features.percentages else 0.55
        if known <= shape < 0.84 and self.chance(0.95):
            shape = 0.0
        if shape < 0.55:
            forms = ["{} mb, {} vcores", "{} mb,{} vcores"]
            if self.features.loose_units:
                forms += ["{} mb,{}vcores", "{}mb {} vcores", "{} MB, {} Vcores"]
            if self.features.decimals:
                forms.append("{}.5 mb, {}.9 vcores")
            return self.one(*forms).format(memory, vcores)
        if shape < 0.68:
            return self.one("50%", "33.3%", "10% memory, 20% cpu", "150%", "0%", "29 %", "57%", "100% cpu, 50% memory")
        if shape < 0.84:
            pairs = [f"memory-mb={memory}", f"vcores={vcores}", "memory-mb=50%", "vcores=25%, memory-mb=10%"]
            pairs += [f"memory-mb={memory}, vcores={vcores}"] * 3
            for name in self.types:
                pairs += [f"memory-mb={memory},vcores={vcores},{name}=3", f"{name}=2", f"{name}=25%"]
                if self.wild:
                    pairs += [f"{name}=2k", f"{name}=1500m, vcores=2", "memory-mb=1Gi", f"50% {name}", f"{name} = 7"]
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

    def value(self, tag: str) -> str:
        """Returns a text for an element of this name: often a good one, always one that somebody might write."""
        if "Resources" in tag or tag == "maxContainerAllocation":
            return self.resource()
        if tag.startswith("acl"):
            return self.acl()
        if "olicy" in tag or "Mode" in tag:
            return self.one("fair", "drf", "fifo", "DRF", "FairSharePolicy", "")
        return self.one("0", "1", "2", "10", "0.5", "-1", ".3", "1.0", "true", "false", "1e3", "abc", " 3 ", "", "NaN")

    def acl(self) -> str:
        """Returns a text of users and groups."""
        return self.one(
            "*", " ", "u1", "u1,u2 g1", " g1,g2", "u1 ", "u1,u2", "u1 g1 g2", "* ", " *", "u1,* g1", "u1, u2 g1",
            "  g1", "u1,,u2", ",u1 ,g1", "\n u1 \n", "u1\nu2 g1\ng2", "u1\tg1", "@g1", "~u1 g1", "u1  g1",
        )  # fmt: skip

    def acls(self) -> str:
        """Returns an element or two of the rights of a queue."""
        tags = ["aclSubmitApps", "aclSubmitApps", "aclAdministerApps"]
        if self.chance(0.3):
            tags = ["aclAdministerReservations", "aclListReservations", "aclSubmitReservations"]
        return "".join(self.field(self.one(*tags), self.acl()) for _ in range(self.random.randint(1, 2)))

    def fields(self, leaf: bool) -> str:
        """Returns elements of a queue; `leaf` tells that it will have no queues below it."""
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
            tame = ("1", "2", "500", "1000", "10000")
            parts.append(self.field("maxRunningApps", self.number(tame, ("0", "0", "-1"))))
        if leaf and self.chance(0.2):
            parts.append(self.field("maxAMShare", self.number(("0.1", "0.5", "1.0", "-1", "0.3", "2"), ("-1.0f", "0"))))
        if self.chance(0.15):
            parts.append(self.preemption())
        if self.chance(0.1):
            parts.append(self.acls())
        if leaf and self.chance(0.02):
            parts.append("<reservation/>")
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
        """Returns a queue with what is in it."""
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
        """Returns a whole file."""
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
        """Returns elements that stand beside the queues."""
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
            (0.05, "userMaxAppsDefault", self.number(("1000", "1", "2"), ("0", *bad))),
            (0.02, "reservation-planner", self.one("p.Planner", " p.Planner ")),
            (0.03, "nonsense", "1"),
        ]
        parts = [self.field(tag, value) for part, tag, value in choices if self.chance(part)]
        while self.chance(0.08):
            name = self.one("u", "u", "v", "", " u ")
            limit = self.field("maxRunningApps", self.number(("1000", "1", "2"), bad))
            parts.append(f'<user name="{name}">{limit}</user>')
        if self.chance(0.3):
            parts.append(self.placement())
        self.random.shuffle(parts)
        return "".join(parts)

    # -- placement rules (their load-time checks)

    def placement(self) -> str:
        if self.wild and self.chance(0.05):
            return self.one("<queuePlacementPolicy/>", "<queuePlacementPolicy> </queuePlacementPolicy>")
        if self.chance(0.6):
            return f"<queuePlacementPolicy>{self.passing()}{self.one(*_LAST)}</queuePlacementPolicy>"
        rules = "".join(self.rule(0) for _ in range(self.random.randint(1, 3)))
        if self.chance(0.85):
            last = self.one("default", "reject", 'default" create="false')
            rules += f'<rule name="{last}"/>'
        return f"<queuePlacementPolicy>{rules}</queuePlacementPolicy>"

    def passing(self) -> str:
        """Returns rules that may pass, so that others can follow."""
        flag = ' create="false"'
        rules = (
            '<rule name="specified"/>', f'<rule name="specified"{flag}/>', f'<rule name="user"{flag}/>',
            f'<rule name="primaryGroup"{flag}/>', '<rule name="secondaryGroupExistingQueue"/>',
            f'<rule name="nestedUserQueue"{flag}><rule name="primaryGroup"{flag}/></rule>',
            f'<rule name="nestedUserQueue"{flag}><rule name="secondaryGroupExistingQueue"/></rule>',
            f'<rule name="nestedUserQueue"{flag}><rule name="default" queue="a"/></rule>',
            f'<rule name="default"{flag} queue="root.b"/>',
        )  # fmt: skip
        return "".join(self.one(*rules) for _ in range(self.random.randint(0, 3)))

    def rule(self, depth: int) -> str:
        name = self.one(
            "specified", "specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue",
            "default", "reject", *(("usre",) if self.wild and self.chance(0.05) else ()),
        )  # fmt: skip
        flag = self.one("", "", ' create="false"', ' create="false"', ' create="true"', ' create="no"')
        queue = self.one("", ' queue="x"', ' queue="root.a"', ' queue=" a"', ' queue=""', ' queue="a.b"')
        queue = queue if name == "default" else ""
        inner = ""
        if depth < 2 and self.chance(0.8 if name == "nestedUserQueue" else 0.05):
            inner = "".join(self.rule(depth + 1) for _ in range(self.random.choice((1, 1, 1, 2))))
        tag = self.one("Rule", "foo") if self.wild and self.chance(0.05) else "rule"
        return f'<{tag} name="{name}"{flag}{queue}>{inner}</{tag}>'
