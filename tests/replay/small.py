"""A scheduler for small stories told by hand, and its decisions in short words."""

from __future__ import annotations

from collections.abc import Mapping

from fairsim.config.allocation import read_allocation
from fairsim.config.build import build_tree
from fairsim.config.site import build_site
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.placement.rules import User
from fairsim.profiles import profile
from fairsim.replay.scheduler import FINISH, Decision, Scheduler
from fairsim.replay.state import AskUpdate
from fairsim.replay.switches import read_switches
from fairsim.xmlio.reader import read_document

LARGE = {"yarn.scheduler.maximum-allocation-mb": "65536", "yarn.scheduler.maximum-allocation-vcores": "64"}


class Small:
    """A scheduler, and what is said to it. Applications are numbers, nodes names; the clock goes on by itself."""

    def __init__(self, inner: str = "", hadoop: str = "3.4", site: Mapping[str, str] | None = None):
        version = profile(hadoop)
        document = read_document(f"<allocations>{inner}</allocations>".encode(), secure=False)
        raw = read_allocation(document, version, ResourceTypes())
        assert not raw.refusals
        properties = build_site(defines=[f"{name}={text}" for name, text in (LARGE | dict(site or {})).items()])
        self.scheduler = Scheduler(raw, build_tree(raw, as_created=True),
                                   read_switches(properties, ResourceTypes(), version))  # fmt: skip

    def node(self, memory: int, vcores: int, name: str = "h1", rack: str = "/r") -> None:
        self.scheduler.add_node(name, rack, (memory, vcores))

    def app(self, app: int, queue: str, am: Amount | None = None, user: str = "u") -> None:
        self.scheduler.clock += 1
        landing = self.scheduler.submit(app, User(user, ()), queue, am)
        assert app in self.scheduler.apps, landing.text
        self.scheduler.add_attempt(app)

    def asks(self, app: int, size: Amount, count: int = 1, priority: int = 1) -> None:
        self.scheduler.allocate(app, [AskUpdate((priority, -1), size, count)])

    def update(self) -> None:
        self.scheduler.update()

    def beat(self, count: int = 1, *, node: str = "h1", ended: tuple[tuple[int, int], ...] = ()) -> list[str]:
        """Returns the decisions of so many heartbeats of a node; what it was given is running by the next one."""
        start = len(self.scheduler.decisions)
        for number in range(count):
            done = [(app, container, 1) for app, container in ended] if number == 0 else []
            self.scheduler.heartbeat(node, (), done)
        return [told(one) for one in self.scheduler.decisions[start:]]


def told(one: Decision) -> str:
    """Returns a decision in short: `allocate 1.2`, `finish 1.2 0`."""
    if one.container is None:
        return f"{one.kind} {one.app}"
    name = f"{one.kind} {one.app}.{one.container.id[1]}"
    return f"{name} {one.detail}" if one.kind == FINISH else name + (" reserved" if one.detail else "")
