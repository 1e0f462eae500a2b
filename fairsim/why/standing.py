"""The state of the cluster as the scheduler holds it: usage up the tree, counters of the running limits, who waits.

Follows FSLeafQueue (usage, AM usage, runnable and waiting applications) and MaxRunningAppsEnforcer (its counters, and
the order in which applications that a limit held back may run).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fairsim.config.names import DEFAULT_QUEUE
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import INT_MAX, Amount, add
from fairsim.model.state import ACCEPTED, PENDING, RUNNING, WAITING, AppUse, State
from fairsim.shares.apps import user_limit


class Standing:
    """What others use and run beside the application asked about.

    `used` is usage by queue, parents included, `running` counts runnable applications by queue, `users` by user: both
    without the application asked about. `assumed` says what is not known exactly.
    """

    def __init__(self, tree: QueueTree, state: State, app: AppUse | None, master: Amount):
        self.tree = tree
        self.state = state
        self.app = app
        self.master = master
        self.assumed: list[str] = []
        self.others = [one for one in state.apps if app is None or one.id != app.id]
        self.decided = {one.id: one.state for one in self.others}
        self.used = self._usage()
        self.running: dict[str, int] = {}
        self.users: dict[str, int] = {}
        self._say_made()
        self._count()
        self._decide_pending()
        self.waiting = Counter(one.queue for one in self.others if self.decided[one.id] == WAITING)

    def _say_made(self) -> None:
        tree = self.tree
        made = [
            name for name in sorted(self.state.queues)
            if (queue := tree.queues.get(name)) is not None and queue.leaf and name not in tree.written
            and name != DEFAULT_QUEUE
        ]  # fmt: skip
        if made:
            more = f" and {len(made) - 3} more" if len(made) > 3 else ""
            self.assumed.append(f"not in the file, so taken as made on the fly: {', '.join(made[:3])}{more}")

    # -- usage

    def _usage(self) -> dict[str, Amount]:
        zero = self.tree.types.zero()
        listed: dict[str, Amount] = {}
        for one in self.state.apps:
            listed[one.queue] = add(listed.get(one.queue, zero), one.used)
        found: dict[str, Amount] = {}
        for queue in reversed(self.tree.in_order()):
            said = self.state.queues.get(queue.name)
            if said is not None and said.used is not None:
                found[queue.name] = said.used
            else:
                total = listed.get(queue.name, zero)
                for child in queue.children:
                    total = add(total, found[child.name])
                found[queue.name] = total
        return found

    def masters(self, leaf: Queue) -> Amount:
        """Returns what the masters of a leaf use."""
        said = self.state.queues.get(leaf.name)
        if said is not None and said.am_used is not None:
            return said.am_used
        total = self.tree.types.zero()
        own = [one for one in self.state.apps if one.queue == leaf.name and one.state == RUNNING]
        number = len(own)
        if said is not None:
            explicit = said.running if said.running is not None else said.started
            number = max(number, explicit or 0)
        unknown = number - sum(one.am is not None for one in own)
        for one in own:
            if one.am is not None:
                total = add(total, one.am)
        if unknown > 0:
            total = add(total, tuple(part * unknown for part in self.master))
            size = ", ".join(map(str, self.master))
            self.assumed.append(f"the state does not tell the masters of {leaf.name}: {unknown} of {size} are taken")
        return total

    def ahead(self, leaf: Queue) -> list[AppUse]:
        """Returns the applications of a leaf that came before and may run, and wait for their master."""
        here = [one for one in self.others if one.queue == leaf.name and self.decided[one.id] == ACCEPTED]
        return [one for one in here if self._before(one)]

    # -- the counters of the running limits

    def _count(self) -> None:
        own = self.app is not None and self.app.state in (RUNNING, ACCEPTED)
        counted = [one for one in self.others if one.state in (RUNNING, ACCEPTED)]
        by_queue = Counter(one.queue for one in counted)
        for queue in reversed(self.tree.in_order()):
            said = self.state.queues.get(queue.name)
            mine = own and self.app is not None and f"{self.app.queue}.".startswith(f"{queue.name}.")
            if said is not None and said.running is not None:
                self.running[queue.name] = max(said.running - mine, 0)
            elif queue.leaf:
                number = by_queue[queue.name]
                if said is not None and said.started is not None and not self.state.apps_known:
                    started = mine and self.app is not None and self.app.state == RUNNING
                    number = max(number, said.started - started)
                if not number and not mine and said is not None and said.used is not None and any(said.used):
                    number = 1
                    self.assumed.append(
                        f"the state tells usage of {queue.name}, but no application: one is taken as running there"
                    )
                self.running[queue.name] = number
            else:
                self.running[queue.name] = sum(self.running[child.name] for child in queue.children)
        for one in counted:
            self.users[one.user] = self.users.get(one.user, 0) + 1
        for user, said_of_user in self.state.users.items():
            if said_of_user.running is not None:
                mine = own and self.app is not None and self.app.user == user
                self.users[user] = max(said_of_user.running - mine, 0)

    def _decide_pending(self) -> None:
        """Lets those run, in order of arrival, that no limit holds back; the one asked about takes its turn itself."""
        pending = sorted((one for one in self.others if one.state == PENDING), key=_order)
        for one in pending:
            if self.app is not None and self.app.state == PENDING and _order(one) > _order(self.app):
                continue  # came later: it can not have taken the place of this one
            self.decided[one.id] = ACCEPTED if self.admit(one.queue, one.user) else WAITING
        for one in pending:
            if self.decided[one.id] == PENDING:
                self.decided[one.id] = WAITING
        for name, said in self.state.queues.items():
            if said.pending and not self.state.apps_known and name in self.tree.queues:
                self._admit_unnamed(self.tree.queues[name], said.pending)

    def _admit_unnamed(self, leaf: Queue, number: int) -> None:
        let_in = 0
        while let_in < number and self.admit(leaf.name, ""):
            let_in += 1
        text = f"{let_in} of {number} pending applications of {leaf.name} are taken as held back by no running limit"
        self.assumed.append(f"{text}: /ws/v1/cluster/apps, saved as well, tells whose they are")

    def admit(self, name: str, user: str) -> bool:
        """Counts one more application as running if every limit allows it, and returns whether it does."""
        if user and self.users.get(user, 0) >= user_limit(self.tree, user):
            return False
        queue = self.tree.queues.get(name)
        path = queue.path() if queue is not None else []
        if any(self.running[level.name] >= self.tree.max_running_apps(level).value for level in path):
            return False
        for level in path:
            said = self.state.queues.get(level.name)
            if said is None or said.running is None:  # numbers of the state count it already
                self.running[level.name] += 1
        said_of_user = self.state.users.get(user)
        if user and (said_of_user is None or said_of_user.running is None):
            self.users[user] = self.users.get(user, 0) + 1
        return True

    # -- the waiting line

    def position(self, queue: str = "", user: str = "") -> int:
        """Returns the place, from 1, among those whom a limit of the queue (or of the user) holds back."""

        def meant(one: AppUse) -> bool:
            inside = not queue or f"{one.queue}.".startswith(f"{queue}.")
            return inside and (not user or one.user == user)

        waiting = [one for one in self.others if self.decided[one.id] == WAITING and meant(one)]
        before = sum(self._before(one) for one in waiting)
        said = self.state.users[user].waiting if user in self.state.users else None
        if queue:
            said = self._waiting_below(queue)
        if self.app is not None and self.app.state in (WAITING, PENDING):
            if (said or 0) > len(waiting) + 1:
                text = f"the state lists {len(waiting) + 1} of {said} waiting applications of {queue or user}"
                self.assumed.append(f"{text}: the place in the line counts those")
            return before + 1
        return max(before, said or 0) + 1

    def _waiting_below(self, name: str) -> int:
        said = self.state.queues.get(name)
        if said is not None and said.waiting is not None:
            return said.waiting
        queue = self.tree.queues[name]
        if not queue.leaf:
            return sum(self._waiting_below(child.name) for child in queue.children)
        if said is not None and said.pending and not self.state.apps_known:
            return max(said.pending + (said.started or 0) - self.running[name], 0)
        return self.waiting[name]

    def _before(self, one: AppUse) -> bool:
        return self.app is None or _order(one) < _order(self.app)

    # -- who is active

    def active(self, besides: Iterable[str] = ()) -> frozenset[str]:
        """Returns the leaves in which some application may run, and those named."""
        leaves = {queue.name for queue in self.tree.queues.values() if queue.leaf and self.running[queue.name] > 0}
        return frozenset(leaves | set(besides))


def _order(one: AppUse) -> tuple[int, str]:
    return one.start, one.id


def has_limit(value: int) -> bool:
    """Returns whether a number of running applications is a limit at all."""
    return value < INT_MAX
