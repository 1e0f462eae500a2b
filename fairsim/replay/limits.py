"""Running limits: which application may run, and which waiting ones may once another has ended.

Follows MaxRunningAppsEnforcer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairsim.javanum import PriorityQueue
from fairsim.replay.state import Attempt, QueueState


class RunningLimits:
    """Counts running applications by user, and those of a user that wait; queues count their own.

    `user_limit` gives how many of a user may run.
    """

    def __init__(self, user_limit: Callable[[str], int]):
        self.user_limit = user_limit
        self.by_user: dict[str, int] = {}
        self.waiting: dict[str, list[Attempt]] = {}

    def can_run(self, attempt: Attempt) -> bool:
        """Tells whether the limits of the user and of all queues on the path leave room for one more."""
        if self.by_user.get(attempt.user, 0) >= self.user_limit(attempt.user):
            return False
        return all(queue.running < queue.max_running for queue in attempt.queue.path())

    def track(self, attempt: Attempt, *, runs: bool) -> None:
        """Puts an attempt into the list of its leaf, and counts it."""
        if runs:
            self._start(attempt)
        else:
            attempt.queue.waiting.append(attempt)
            self.waiting.setdefault(attempt.user, []).append(attempt)

    def untrack(self, attempt: Attempt) -> list[Attempt]:
        """Takes an attempt out; returns those that may run now, in the order in which they start."""
        leaf = attempt.queue
        if not attempt.runs:
            leaf.waiting.remove(attempt)
            self.waiting[attempt.user].remove(attempt)
            return []
        leaf.runnable.remove(attempt)
        attempt.runs = False
        for queue in leaf.path():
            queue.running -= 1
        left = self.by_user[attempt.user] = self.by_user[attempt.user] - 1
        highest = None
        for queue in leaf.path():
            if queue.running == queue.max_running - 1:
                highest = queue
        lists: list[list[Attempt]] = []
        if highest is not None:
            _gather(highest, lists)
        if left == self.user_limit(attempt.user) - 1:
            lists.append(list(self.waiting.get(attempt.user, ())))
        return self._start_waiting(lists, len(lists))

    def reloaded(self, root: QueueState) -> list[Attempt]:
        """Returns the waiting attempts that new limits let run."""
        lists: list[list[Attempt]] = []
        _gather(root, lists)
        return self._start_waiting(lists, None)

    def _start_waiting(self, lists: Sequence[list[Attempt]], most: int | None) -> list[Attempt]:
        started: list[Attempt] = []
        before: Attempt | None = None
        for attempt in _merged(lists):
            if attempt is before:
                continue
            if self.can_run(attempt):
                self._start(attempt)
                started.append(attempt)
                if most is not None and len(started) >= most:
                    break
            before = attempt
        for attempt in started:
            if attempt in attempt.queue.waiting:
                attempt.queue.waiting.remove(attempt)
                self.waiting[attempt.user].remove(attempt)
        return started

    def _start(self, attempt: Attempt) -> None:
        attempt.queue.runnable.append(attempt)
        attempt.runs = True
        for queue in attempt.queue.path():
            queue.running += 1
        self.by_user[attempt.user] = self.by_user.get(attempt.user, 0) + 1


def _gather(queue: QueueState, lists: list[list[Attempt]]) -> None:
    """Adds the waiting lists of the leaves below a queue that has room, empty ones too."""
    if queue.running >= queue.max_running:
        return
    if queue.leaf:
        lists.append(list(queue.waiting))
        return
    for child in queue.children:
        _gather(child, lists)


def _merged(lists: Sequence[list[Attempt]]) -> list[Attempt]:
    """Returns the attempts of all lists by the start of the first of each list, which a Java heap keeps."""
    found: list[Attempt] = []
    heads: PriorityQueue[list[Attempt]] = PriorityQueue(lambda rest: rest[-1].start if rest else float("inf"))
    for one in lists:
        heads.add(one[::-1])
    while heads:
        rest = heads.poll()
        if not rest:
            break
        found.append(rest.pop())
        heads.add(rest)
    return found
