"""Random submissions under random placement policies: small files that nearly always load, full of close calls.

Names of users, groups and queues are drawn from one short list, so that they meet: queues named like users and groups,
parents where leaves are needed, queues made on the fly in the way, policies that do not go together.
"""

from __future__ import annotations

from random import Random
from typing import Any

from fairsim.config.properties import FAIR_PREFIX
from fairsim.profiles import Profile
from tests.oracle.ask import Request
from tests.oracle.cases import Case
from tests.oracle.place_mode import CLUSTER

NAMES = ("a", "b", "c", "eng", "ops", "ann", "bob", "Bob", "default", "first_dot_last", "domain users")
USERS = ("ann", "bob", "Bob", "a", "first.last", " eng", "default", "root", "domain users")
ODD = (
    "", "root", "root.", ".a", "a.", "a..b", "a. b", "a ", "\u2003a", "root.a..", "default", "root.default", "Root.a",
)  # fmt: skip
LISTS = (
    " ", " ", "*", "ann", " eng", "bob ops", "a,b", " a,eng", "ann, eng", "a,* b", "  ann", "\n bob a",
    "ann\nbob eng\nops", "Bob\tops",
)  # fmt: skip
NOTHING = ("0 mb, 0 vcores", "0 mb, 9 vcores", "9000 mb, 0 vcores")
OVERRIDES = "hadoop.user.group.static.mapping.overrides"


def make(case: Case, hadoop: Profile) -> Request:
    """Returns the request of a case; of the case only the seed counts."""
    random = Random(case.seed)  # noqa: S311 - repeatable, not secret
    maker = _Maker(random, hadoop)
    alloc = maker.file()
    request: Request = {
        "mode": "place", "alloc": alloc, "site": maker.site(), "cluster": CLUSTER,
        "submissions": [maker.submission() for _ in range(random.choice((2, 4, 8)))],
        "acl": [maker.question() for _ in range(3)],
    }  # fmt: skip
    if random.random() < 0.4:
        request["stateful"] = True
    if random.random() < 0.4:
        request["dynamic"] = [f"root.{maker.path()}" for _ in range(random.choice((1, 2)))]
    if random.random() < 0.4:  # where a rule for groups would look for a parent, stands a leaf
        groups = [one["groups"][0] for one in request["submissions"] if one["groups"]]
        more = {f"root.{name}": None for name in groups if name in NAMES}
        request["dynamic"] = [*request.get("dynamic", ()), *more]
    return request


class _Maker:
    def __init__(self, random: Random, hadoop: Profile):
        self.random = random
        self.new = hadoop.features.placement_rewrite
        self.hadoop = hadoop
        self.paths: list[str] = []

    def some(self, chance: float) -> bool:
        return self.random.random() < chance

    def path(self) -> str:
        return ".".join(self.random.choices(NAMES, k=self.random.choice((1, 1, 1, 2, 2, 3))))

    # -- the file

    def file(self) -> str:
        random = self.random
        inner = "".join(self.queue(name, "", 0) for name in random.sample(NAMES, random.choice((0, 1, 2, 3, 4))))
        if self.some(0.4):
            inner = f'<queue name="root">{self.lists(0.6)}{inner}</queue>'
        tops = ""
        if self.some(0.15):
            policy = random.choice(("fair", "drf", "drf", "fair" if self.hadoop.version >= (2, 9, 0) else "fifo"))
            tops += f"<defaultQueueSchedulingPolicy>{policy}</defaultQueueSchedulingPolicy>"
        if self.some(0.1):
            tops += "<queueMaxResourcesDefault>0 mb, 5 vcores</queueMaxResourcesDefault>"
        rules = "" if self.some(0.12) else f"<queuePlacementPolicy>{self.rules()}</queuePlacementPolicy>"
        return f"<allocations>{inner}{tops}{rules}</allocations>"

    def queue(self, name: str, above: str, depth: int) -> str:
        random = self.random
        self.paths.append(above + name)
        inner = self.lists(0.25)
        if self.some(0.12):
            inner += f"<schedulingPolicy>{random.choice(('fair', 'drf', 'fifo'))}</schedulingPolicy>"
        if self.some(0.08):
            inner += f"<maxResources>{random.choice(NOTHING)}</maxResources>"
        if self.some(0.06):
            inner += "<maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation>"
        kind = ""
        if depth < 2 and self.some(0.4):
            below = random.sample(NAMES, random.choice((1, 2)))
            inner += "".join(self.queue(child, f"{above}{name}.", depth + 1) for child in below)
            if self.some(0.1):
                inner += "<maxChildResources>0 mb, 3 vcores</maxChildResources>"
        elif self.some(0.3):
            kind = ' type="parent"'
        elif self.some(0.05):
            inner += "<reservation/>"
        return f'<queue name="{name}"{kind}>{inner}</queue>'

    def lists(self, chance: float) -> str:
        found = ""
        for tag in ("aclSubmitApps", "aclAdministerApps"):
            if self.some(chance):
                found += f"<{tag}>{self.random.choice(LISTS)}</{tag}>"
        return found

    def rules(self) -> str:
        random = self.random
        count = random.choice((1, 1, 2, 2, 3))
        body = [self.rule(last=False) for _ in range(count)]
        return "".join([*body, self.rule(last=True)]) if self.some(0.93) else "".join(body)

    def rule(self, *, last: bool) -> str:
        random = self.random
        if last:
            name = random.choice(("user", "default", "default", "reject", "primaryGroup", "nestedUserQueue"))
            name = name if self.new or name != "nestedUserQueue" else "default"
            return self.element(name, "")
        name = random.choice(("specified", "specified", "secondaryGroupExistingQueue", "user", "primaryGroup",
                              "nestedUserQueue", "nestedUserQueue"))  # fmt: skip
        if name in ("specified", "secondaryGroupExistingQueue"):
            return self.element(name, random.choice(("", "", "false", "true")))
        if name == "nestedUserQueue" and not self.new:
            return self.element(name, random.choice(("", "", "false")))
        return self.element(name, "false" if self.some(0.95) else "")

    def element(self, name: str, create: str) -> str:
        flag = f' create="{create}"' if create else ""
        if name == "default" and self.some(0.6):
            flag += f' queue="{self.target()}"'
        nests = name == "nestedUserQueue" or (self.some(0.15) and name in ("user", "primaryGroup"))
        if name == "secondaryGroupExistingQueue":
            nests = self.some(0.25)
        inner = ""
        if nests:
            choice = ["specified", "primaryGroup", "secondaryGroupExistingQueue", "default"]
            if not self.new:
                choice += ["user", "reject"]
            choice = [one for one in choice if one != name] + ["user"] * (name not in ("user", "nestedUserQueue"))
            inner = self.random.choice(choice)
            mark = ' create="false"' if self.some(0.5) else ""
            target = f' queue="{self.target()}"' if inner == "default" and self.some(0.6) else ""
            inner = f'<rule name="{inner}"{mark}{target}/>'
        return f'<rule name="{name}"{flag}>{inner}</rule>'

    def target(self) -> str:
        random = self.random
        if self.some(0.12):
            return random.choice((".a", "a.", " a", "root", "a..b", "Root.a"))
        name = random.choice(self.paths) if self.paths and self.some(0.6) else self.path()
        return random.choice((name, f"root.{name}"))

    # -- what is asked

    def site(self) -> dict[str, str]:
        found = {}
        if self.some(0.3):
            found["yarn.acl.enable"] = "true"
        if self.some(0.15):
            found[FAIR_PREFIX + "user-as-default-queue"] = "false"
        if self.some(0.15):
            found[FAIR_PREFIX + "allow-undeclared-pools"] = "false"
        if self.some(0.2):
            found[OVERRIDES] = "dr.who=;bob=;ann=eng,ops;Bob=a"
        return found

    def groups(self) -> list[str] | None:
        if self.some(0.06):
            return None
        names = (*NAMES, "g.h", "root", " ops")
        return self.random.sample(names, self.random.choice((0, 1, 2, 2, 3)))

    def asked(self) -> str | None:
        random = self.random
        if self.some(0.25):
            return random.choice((None, "default"))
        if self.some(0.12):
            return random.choice(ODD)
        name = random.choice(self.paths) if self.paths and self.some(0.6) else self.path()
        below = f"{name}.{random.choice(NAMES)}"
        return random.choice((name, f"root.{name}", below, name.upper(), f"root.{name.title()}"))

    def submission(self) -> dict[str, Any]:
        told: dict[str, Any] = {"user": self.random.choice(USERS), "groups": self.groups()}
        queue = self.asked()
        if queue is not None:
            told["queue"] = queue
        if self.some(0.15):
            told["am"] = self.random.choice(({"memory-mb": 9000, "vcores": 1}, {"memory-mb": 1025, "vcores": 1}))
        return told

    def question(self) -> dict[str, Any]:
        random = self.random
        return {
            "user": random.choice(USERS), "groups": self.groups() or [], "queue": self.path(),
            "op": random.choice(("submit", "administer")),
        }  # fmt: skip
