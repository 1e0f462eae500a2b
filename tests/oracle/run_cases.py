"""Random scenarios for mode run: a file, nodes, applications that come, ask, run and end, and the events in between.

The events are made without knowing what the scheduler decides: what a node reports, and what a master releases, is
named by application and number, and what does not exist is passed over by both sides alike. To make most of them
meet something real, a plain simulation of fairsim's own runs along while the events are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from fairsim.profiles import Profile
from tests.oracle.ask import Request
from tests.oracle.run_mode import Driver, NotModelled, driver

SIZES_MB = (512, 1024, 1024, 1024, 1500, 2048, 2048, 3072, 4096, 4096, 6144, 8192)
NODE_SIZES = ((4096, 4), (8192, 8), (8192, 4), (16384, 8), (16384, 16), (10240, 20), (5000, 3))
GPU = "yarn.io/gpu"
_FAIR = "yarn.scheduler.fair."


#: How many nodes and steps a run has.
USUAL = (1, 2, 2, 3, 4, 6, 12, 25, 40), (20, 40, 60, 120, 250)
SHORT = (1, 1, 2, 3), (8, 12, 16, 24)


def make_run(seed: int, hadoop: Profile, sizes: tuple[Sequence[int], Sequence[int]] = USUAL) -> Request:
    """Returns the request of this seed."""
    return Maker(Random(f"run {seed}"), hadoop).request(sizes)  # noqa: S311 - repeatable, not secret


class Maker:
    def __init__(self, random: Random, hadoop: Profile):
        self.random = random
        self.hadoop = hadoop
        self.leaves: list[str] = []
        self.gpu = hadoop.version >= (3, 1, 0) and random.random() < 0.12
        self.nodes: list[str] = []
        self.hosts = 0
        self.racks = [f"/r{rack}" for rack in range(random.choice((1, 1, 2, 3)))]
        self.clock = 1000
        self.app = 0
        self.policy = ""
        self.driver: Driver | None = None

    # -- what is fixed

    def request(self, sizes: tuple[Sequence[int], Sequence[int]] = USUAL) -> Request:
        random = self.random
        self.policy = random.choice(("fair", "fair", "drf", "drf", "mixed", "mixed"))
        request: Request = {
            "mode": "run", "alloc": self.file(self.policy), "site": self.site(), "clock": self.clock, "events": [],
        }  # fmt: skip
        if self.gpu:
            request["resource_types"] = {GPU: {"units": ""}}
        self.driver = driver(request, self.hadoop)
        self.do(request, [self.node() for _ in range(random.choice(sizes[0]))])
        for _ in range(random.choice(sizes[1])):
            self.step(request)
        for event in request["events"]:
            if random.random() < 0.05:
                event["show"] = True
        request["events"][-1]["show"] = True
        return request

    def file(self, policy: str) -> str:
        random = self.random
        parts: list[str] = []
        if policy == "drf":
            parts.append("<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>")
        if random.random() < 0.3:
            parts.append(f"<userMaxAppsDefault>{random.choice((1, 2, 5))}</userMaxAppsDefault>")
        if random.random() < 0.2:
            parts.append(f"<queueMaxAppsDefault>{random.choice((1, 3, 10))}</queueMaxAppsDefault>")
        if random.random() < 0.3:
            share = random.choice(("-1", "0.1", "0.3", "1.0"))
            parts.append(f"<queueMaxAMShareDefault>{share}</queueMaxAMShareDefault>")
        count = random.choice((1, 2, 3, 5, 9, 20, 60))
        budget = [count]
        while budget[0] > 0:
            parts.append(self.queue("", 1, budget, policy, "fair" if policy != "drf" else "drf"))
        parts.append("<queuePlacementPolicy><rule name='specified'/><rule name='default'/></queuePlacementPolicy>")
        return f"<allocations>{''.join(parts)}</allocations>"

    def queue(self, above: str, depth: int, budget: list[int], policy: str, parent: str) -> str:
        random = self.random
        budget[0] -= 1
        name = f"q{budget[0]}"
        full = f"{above}.{name}" if above else name
        inner: list[str] = []
        weight = random.choice(("", "", "2", "3", "0.5", "10", ".3", "0" if random.random() < 0.2 else "1"))
        if weight:
            inner.append(f"<weight>{weight}</weight>")
        if random.random() < 0.25:
            inner.append(f"<minResources>{random.choice((1024, 2048, 4096))} mb,{random.choice((0, 1, 2))} vcores"
                         "</minResources>")  # fmt: skip
        if random.random() < 0.25:
            amount = f"{random.choice((2048, 4096, 8192))} mb,{random.choice((2, 4, 8))} vcores"
            inner.append(f"<maxResources>{random.choice((amount, '20%', '50%'))}</maxResources>")
        if random.random() < 0.2:
            inner.append(f"<maxRunningApps>{random.choice((1, 2, 4))}</maxRunningApps>")
        parental = depth < 4 and budget[0] > 0 and random.random() < 0.3
        own = parent
        if policy == "mixed" and random.random() < 0.6:
            own = random.choice(("fair", "drf") if parental else ("fair", "drf", "fifo"))
            if parent == "fair" and own == "drf":
                own = "fair"
            inner.append(f"<schedulingPolicy>{own}</schedulingPolicy>")
        if not parental:
            if random.random() < 0.2:
                inner.append(f"<maxAMShare>{random.choice(('-1', '0.2', '0.8'))}</maxAMShare>")
            self.leaves.append(full)
        else:
            most = random.choice((1, 2, 3))
            inner += [self.queue(full, depth + 1, budget, policy, own) for _ in range(most) if budget[0] > 0]
        return f"<queue name='{name}'>{''.join(inner)}</queue>"

    def site(self) -> dict[str, str]:
        random = self.random
        site: dict[str, str] = {"yarn.scheduler.maximum-allocation-mb": "16384",
                                "yarn.scheduler.maximum-allocation-vcores": "16"}  # fmt: skip
        if random.random() < 0.35:
            site[_FAIR + "assignmultiple"] = "true"
            if random.random() < 0.5:
                site[_FAIR + "dynamic.max.assign"] = "false"
                site[_FAIR + "max.assign"] = random.choice(("-1", "1", "2", "3"))
        if random.random() < 0.2:
            site[_FAIR + "locality.threshold.node"] = random.choice(("0.3", "0.5", "1.0", "2"))
            site[_FAIR + "locality.threshold.rack"] = random.choice(("0.3", "0.5", "1.0", "-1"))
        if random.random() < 0.1:
            site[_FAIR + "sizebasedweight"] = "true"
        if random.random() < 0.2:
            site["yarn.scheduler.increment-allocation-mb"] = random.choice(("512", "256", "1000"))
        if random.random() < 0.2:
            site["yarn.scheduler.minimum-allocation-mb"] = random.choice(("0", "512", "2048"))
        if random.random() < 0.2:
            site["yarn.scheduler.reservation-threshold.increment-multiple"] = random.choice(("1", "0.5", "4"))
        if random.random() < 0.2:
            site[_FAIR + "reservable-nodes"] = random.choice(("0.5", "1.0", "0"))
        return site

    # -- what happens

    def do(self, request: Request, events: list[dict[str, Any]]) -> None:
        assert self.driver is not None
        for event in events:
            request["events"].append(event)
            self.driver.handle(event)

    def step(self, request: Request) -> None:
        random = self.random
        shape = random.random()
        if random.random() < 0.6:
            self.clock += random.choice((0, 1, 10, 500))
        if shape < 0.40:
            self.do(request, [self.beat(name) for name in self.nodes])
        elif shape < 0.60:
            self.do(request, [{"event": "update"}])
        elif shape < 0.74:
            self.do(request, [self.submission() for _ in range(random.choice((1, 1, 2, 5, 8)))])
        elif shape < 0.90:
            self.do(request, self.masters())
        elif shape < 0.95:
            self.do(request, self.end())
        elif shape < 0.96:
            self.do(request, [self.node()])
        elif shape < 0.97:
            self.do(request, [self.change()])
        elif len(self.nodes) > 1 and shape < 0.985:
            self.do(request, [{"event": "remove_node", "node": self.nodes.pop(random.randrange(len(self.nodes)))}])
        elif self.nodes:
            size = dict(zip(("memory-mb", "vcores"), random.choice(NODE_SIZES), strict=True))
            self.do(request, [{"event": "resize_node", "node": random.choice(self.nodes), "size": self.sized(size)}])

    def change(self) -> dict[str, Any]:
        """The file is another one, most often with queues of the same names, or ten seconds have passed."""
        if self.hadoop.version < (3, 2, 0) or self.random.random() < 0.4:
            return {"event": "check"}
        known = self.leaves
        self.leaves = []
        event = {"event": "reload", "alloc": self.file(self.policy)}
        self.leaves += known[: self.random.choice((0, 1, 3))]
        return event

    def sized(self, size: dict[str, int]) -> dict[str, int]:
        return size | {GPU: self.random.choice((0, 2, 4))} if self.gpu else size

    def node(self) -> dict[str, Any]:
        self.hosts += 1
        name = f"h{self.hosts}"
        self.nodes.append(name)
        memory, vcores = self.random.choice(NODE_SIZES)
        return {"event": "add_node", "node": name, "size": self.sized({"memory-mb": memory, "vcores": vcores}),
                "rack": self.random.choice(self.racks)}  # fmt: skip

    def submission(self) -> dict[str, Any]:
        random = self.random
        self.app += 1
        event: dict[str, Any] = {
            "event": "app", "app": self.app, "user": random.choice(("ann", "bob", "cid")),
            "queue": random.choice(self.leaves) if random.random() < 0.93 else random.choice(("ad.hoc", "new", "q0.x")),
            "at": self.clock,
        }  # fmt: skip
        if random.random() < 0.75:
            memory = random.choice((512, 1024, 1024, 2048, 3000))
            event["am"] = {"memory-mb": memory, "vcores": random.choice((1, 1, 2))}
        return event

    def beat(self, name: str) -> dict[str, Any]:
        """A node reports: most of what was given is running, some of it has ended."""
        random = self.random
        assert self.driver is not None
        node = self.driver.scheduler.nodes[name]
        event: dict[str, Any] = {"event": "heartbeat", "node": name}
        running, completed = [], []
        for container in node.containers.values():
            launched = container.id in node.launched
            if not launched and container.acquired and random.random() < 0.6:
                running.append(list(container.id[:2]))
            elif launched and (random.random() < 0.12 or not container.live):
                completed.append(list(container.id[:2]))
        if running:
            event["running"] = running
        if completed:
            event["completed"] = completed
        return event

    def masters(self) -> list[dict[str, Any]]:
        random = self.random
        assert self.driver is not None
        attempts = list(self.driver.scheduler.attempts.values())
        events = []
        for attempt in random.sample(attempts, min(len(attempts), random.choice((1, 2, 4, 8)))):
            if attempt.waits_for_master:
                continue
            event: dict[str, Any] = {"event": "allocate", "app": attempt.app}
            if random.random() < 0.75:
                event["asks"] = self.asks()
            live = [one for one in attempt.live.values() if one.acquired and one is not attempt.master]
            if live and random.random() < 0.15:
                event["release"] = [random.choice(live).id[1]]
            if random.random() < 0.06:
                event["blacklist_add"] = [random.choice([*self.nodes, *self.racks] or ["x"])]
            if random.random() < 0.06:
                event["blacklist_remove"] = [random.choice([*self.nodes, *self.racks] or ["x"])]
            events.append(event)
        return events

    def asks(self) -> list[dict[str, Any]]:
        random = self.random
        found = []
        for _ in range(random.choice((1, 1, 1, 2))):
            size = {"memory-mb": random.choice(SIZES_MB), "vcores": random.choice((1, 1, 1, 2, 4))}
            if self.gpu and random.random() < 0.4:
                size[GPU] = random.choice((1, 2))
            key: dict[str, Any] = {"priority": random.choice((1, 5, 10, 20)), "size": size}
            if random.random() < 0.1:
                key["request_id"] = random.choice((0, 1, 2))
            count = random.choice((0, 1, 1, 2, 3, 5, 10, 40))
            shape = random.random()
            if shape < 0.3 and self.nodes and count:
                host = random.choice(self.nodes)
                assert self.driver is not None
                rack = self.driver.scheduler.nodes[host].rack
                strict = random.random() < 0.15
                found.append(key | {"where": host, "count": count})
                found.append(key | {"where": rack, "count": count, "relax": not strict})
                found.append(key | {"count": count, "relax": not (strict and random.random() < 0.7)})
            else:
                found.append(key | {"count": count})
        return found

    def end(self) -> list[dict[str, Any]]:
        random = self.random
        assert self.driver is not None
        apps = list(self.driver.scheduler.apps)
        if not apps:
            return []
        app = random.choice(apps)
        if random.random() < 0.15 and app in self.driver.scheduler.attempts:
            number = self.driver.scheduler.attempts[app].number + 1
            return [{"event": "remove_attempt", "app": app, "state": "FAILED"},
                    {"event": "attempt", "app": app, "attempt": number, "at": self.clock}]  # fmt: skip
        return [{"event": "remove_app", "app": app, "state": random.choice(("FINISHED", "KILLED"))}]


__all__ = ["NotModelled", "make_run"]
