"""The chain: every check in Hadoop's order, and what the first one that stops the application leads to.

Up to 3.2 RMAppManager looks at the size of the master, then the scheduler places the application and looks at zero
resources and access; from 3.3 on RMAppManager places it first, then size and access follow, then the scheduler. After
that come MaxRunningAppsEnforcer (user, then leaf to root), and at each heartbeat the maxima in force, the room for
masters, the maxima with the container, the node. Shares and preemption stop nothing; they tell how long it may wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairsim.config.names import full_name
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import Amount, add
from fairsim.model.state import ACCEPTED, RUNNING, State
from fairsim.shares.solve import Shares, am_limit, solve
from fairsim.why.grow import grow
from fairsim.why.limits import Words, fits, rounded, running_checks, size_checks, zero_check
from fairsim.why.parts import (
    PASSES,
    REFUSED,
    RUNS,
    SKIPPED,
    STOPS,
    TELLS,
    UNKNOWN,
    WAITS,
    Answer,
    Check,
    Landing,
    Placer,
    Question,
    Source,
)
from fairsim.why.preempt import preemption_check
from fairsim.why.room import Ground, am_check, maximum_checks, node_check, over_maximum, room_check, share_check
from fairsim.why.site import SiteRules
from fairsim.why.standing import Standing


class Case(NamedTuple):
    """Everything that an answer depends on. `file` names the allocation file; `place` gives the landing, None where an
    application of the state is asked about.

    `largest` is the largest node of each type alone, and whether nodes are known: if not, it is the sum of them all.
    The queues that come into being for the application are added to `tree`.
    """

    tree: QueueTree
    file: str
    ground: Ground
    largest: tuple[Amount, bool]
    rules: SiteRules
    state: State
    question: Question
    requested: str | None
    place: Placer | None


def why(case: Case) -> Answer:
    """Returns the chain of checks for one application, and how it ends. Raises Hangs where Hadoop would not end."""
    return _Chain(case).answer()


class _Chain:
    def __init__(self, case: Case):
        self.case = case
        self.tree = case.tree
        self.words = Words(case.tree, case.file)
        named = case.question.app
        self.app = next((one for one in case.state.apps if one.id == named), None) if named else None
        self.started = self.app is not None and self.app.state == RUNNING
        self.checks: list[Check] = []
        self.assumed: list[str] = []
        self.position: int | None = None
        self.ask = case.question.am

    def answer(self) -> Answer:
        for name in {one.queue for one in self.case.state.apps} | set(self.case.state.queues):
            said = self.case.state.queues.get(name)
            grow(self.tree, name, leaf=said is None or said.leaf)
        queue = self._known() if self.app is not None else self._submit()
        if queue is not None:
            self._run(queue)
        name = queue.name if queue is not None else ""
        first = next((place for place, check in enumerate(self.checks) if check.verdict == STOPS), None)
        verdict, reason = RUNS, ""
        if first is not None:
            verdict, reason = self.checks[first].ends, self.checks[first].reason
        elif self.started and not any(self.ask):
            reason = "its master runs, and the state does not tell that it waits for anything"
        place = self.checks[first].numbers.get("position") if first is not None else None
        return Answer(
            verdict, reason, name, self.case.question.user, self.app.id if self.app else None, self.ask, self.checks,
            first, place, tuple(dict.fromkeys(self.assumed)),
        )  # fmt: skip

    # -- submission

    def _known(self) -> Queue | None:
        """An application of the state: it has been accepted."""
        assert self.app is not None
        queue = self.tree.queues[self.app.queue]
        text = f"{self.app.id} is in {queue.name}: it was accepted, placement and access are not looked at again"
        self.checks.append(Check("placement", queue.name, PASSES, text, (Source("application", "state"),)))
        most = self.case.rules.maximum
        if self.started:
            wanted = self.case.question.ask
            if wanted is None and self.app.asks:
                self.ask = self.app.asks[0].size
            elif wanted is not None:
                self.ask = rounded(wanted, self.case.rules, most, self.tree, master=False)
            else:
                self.ask = self.tree.types.zero()
        else:
            self.ask = self.app.am or (self.app.asks[0].size if self.app.asks else self._rounded(queue))
        return queue

    def _submit(self) -> Queue | None:
        """A new application: returns its leaf, None when it does not get that far."""
        modern = self.tree.profile.features.placement_rewrite
        asked, rules = self.case.question.am, self.case.rules
        if not modern:
            named = self.tree.queues.get(full_name(self.case.requested)) if self.case.requested else None
            self.checks += size_checks(self.words, asked, rules, self.case.largest, named)
        assert self.case.place is not None
        landing = self.case.place(self.case.requested)
        self.checks.append(self._placement(landing))
        if landing.outcome != "placed":
            return None
        exists = self._nearest(landing)
        queue = grow(self.tree, landing.queue)
        if queue is None or not queue.leaf:
            return None
        if modern:
            self.checks += size_checks(self.words, asked, rules, self.case.largest, exists)
        self.ask = self._rounded(queue if exists is not None else None)
        later = [self._access(landing, queue), *self._zero(queue)]
        self.checks += later if modern else reversed(later)
        return queue

    def _rounded(self, queue: Queue | None) -> Amount:
        most = list(self.case.rules.maximum)
        limit = self.tree.max_container(queue).value if queue is not None else None
        caps = [self.case.largest[0]] if self.tree.profile.version >= (2, 7, 0) else []
        caps += [limit.amount] if limit else []
        for cap in caps:
            most = [min(part, high) for part, high in zip(most, cap, strict=True)]
        return rounded(self.case.question.am, self.case.rules, tuple(most), self.tree, master=True)

    def _nearest(self, landing: Landing) -> Queue | None:
        """The queue whose maxContainerAllocation counts: that of a queue still to be made is not looked at."""
        return self.tree.queues.get(landing.queue) if landing.queue not in landing.created else None

    def _placement(self, landing: Landing) -> Check:
        placed = landing.outcome == "placed"
        made = f", a new queue ({', '.join(landing.created)})" if landing.created else ""
        text = f"{landing.text}: {landing.queue}{made}" if placed else landing.text
        return Check(
            "placement", landing.queue, PASSES if placed else STOPS, text, landing.sources, REFUSED,
            "" if placed else landing.text, details=landing.trace, hint=landing.hint,
        )  # fmt: skip

    def _access(self, landing: Landing, queue: Queue) -> Check:
        found = landing.permission
        if found is None:
            return Check("acl", queue.name, UNKNOWN, "access is not checked")
        user = self.case.question.user
        return Check("acl", queue.name, PASSES if found.allowed else STOPS, found.text, found.sources, REFUSED,
                     "" if found.allowed else f"{user} may not submit to {queue.name}", details=found.details,
                     hint=found.hint)  # fmt: skip

    def _zero(self, queue: Queue) -> Iterator[Check]:
        if self.tree.profile.features.zero_resource_rejected:
            yield zero_check(self.words, self.ask, queue, self.tree.max_at(queue, self.case.ground.cluster))

    # -- running

    def _run(self, queue: Queue) -> None:
        standing = Standing(self.tree, self.case.state, self.app, self.ask)
        words, cluster = self.words, self.case.ground.cluster
        runs = self.app is not None and self.app.state in (RUNNING, ACCEPTED)
        self.checks += running_checks(words, standing, self.case.question.user, queue, runs=runs)
        for level in queue.path():
            standing.running[level.name] += 1
        shares = solve(self.tree, cluster, standing.active([queue.name]))
        named = {one.name: place for place, one in enumerate(shares.queues)}
        share = {name: shares.instantaneous[place] for name, place in named.items()}
        maxima = {name: shares.maxima[place] for name, place in named.items()}
        used, masters = dict(standing.used), self.tree.types.zero()
        if not self.started:
            masters = standing.masters(queue)
            masters = self._start_ahead(standing, queue, shares, used, masters)
        if any(self.ask) or not self.started:
            self._fit(queue, used, maxima, masters, share)
        stopped = next((check.name for check in self.checks if check.verdict == STOPS), "")
        self.checks.append(share_check(words, queue, share, used))
        standing.used = used
        self.checks.append(
            preemption_check(words, self.case.rules, standing, queue, share, cluster, self.ask, stopped)
        )
        if not fits(standing.used["root"], cluster):
            self.assumed.append("the state uses more than the cluster has: give the cluster that the state belongs to")
        self.assumed += standing.assumed

    def _start_ahead(
        self, standing: Standing, queue: Queue, shares: Shares, used: dict[str, Amount], masters: Amount
    ) -> Amount:
        """Starts the masters of the same leaf that came before, where they fit; returns what masters use then."""
        ground, place = self.case.ground, {one.name: index for index, one in enumerate(shares.queues)}
        started = 0
        nodes = None if ground.free is None else [left for _, left in ground.free]
        for one in sorted(standing.ahead(queue), key=lambda app: (app.start, app.id)):
            size = one.am or (one.asks[0].size if one.asks else self.ask)
            free = tuple(total - part for total, part in zip(ground.cluster, used["root"], strict=True))
            index = place[queue.name]
            room = am_limit(self.tree, queue, shares.instantaneous[index], shares.maxima[index], free)
            inside = all(fits(add(used[up.name], size), shares.maxima[place[up.name]]) for up in queue.path())
            node = 0 if nodes is None else next((at for at, left in enumerate(nodes) if fits(size, left)), -1)
            if (room is None or fits(add(masters, size), room)) and inside and fits(size, free) and node >= 0:
                started += 1
                if nodes is not None:
                    nodes[node] = tuple(left - part for left, part in zip(nodes[node], size, strict=True))
                masters = add(masters, size)
                for up in queue.path():
                    used[up.name] = add(used[up.name], size)
        if started:
            text = f"{started} applications of {queue.name} came before and wait for their masters: first served"
            self.assumed.append(text)
        return masters

    def _rounded_to_nothing(self, queue: Queue) -> bool:
        """Tells of a master of size 0, and returns whether none is ever started for it: 2.8 skips such requests."""
        never = self.tree.profile.version >= (2, 8, 0)
        text = "the request is rounded by a minimum of 0 to nothing: "
        text += "no container is ever given for it" if never else "the container that is given has no size"
        hint = "set yarn.scheduler.minimum-allocation-mb and -vcores to 1 or more"
        reason = "the request is rounded to nothing, never"
        self.checks.append(Check("request", queue.name, STOPS if never else TELLS, text, self.case.rules.minimum_from,
                                 WAITS, reason, hint=hint))  # fmt: skip
        return never

    def _fit(self, queue: Queue, used: dict[str, Amount], maxima: dict[str, Amount], masters: Amount,
             share: dict[str, Amount]) -> None:  # fmt: skip
        words, ground = self.words, self.case.ground
        if not any(self.ask) and self._rounded_to_nothing(queue):
            return
        over = over_maximum(queue, used, maxima)
        limits = list(maximum_checks(words, queue, used, maxima, self.ask))
        if over:  # looked at before the room for masters
            self.checks += limits
        free = tuple(total - part for total, part in zip(ground.cluster, used["root"], strict=True))
        if self.started:
            self.checks.append(Check("am_share", queue.name, SKIPPED, "its master runs: not looked at"))
        else:
            self.checks.append(am_check(words, queue, masters, self.ask, share[queue.name], maxima[queue.name], free,
                                        ground.cluster))  # fmt: skip
        if not over:
            self.checks += limits
        self.checks.append(node_check(words, ground, self.ask))
        self.checks.append(room_check(words, ground, self.ask, used["root"]))

