"""What becomes of a submission: the rules, then every check on the way into the scheduler.

Follows RMAppManager.createAndPopulateNewRMApp and FairScheduler.addApplication.
"""

from __future__ import annotations

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import full_name, parent_of
from fairsim.config.placement_syntax import Rule
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import Amount
from fairsim.placement.access import Access, Verdict
from fairsim.placement.live import BadName, Known, Live, NoLeaf
from fairsim.placement.rules import Step, Stop, User, implicit_rules, policy_of

PLACED, EXCEPTION, FAILED, FATAL = "placed", "exception", "failed", "fatal"


class Settings:
    """The properties that count: yarn.scheduler.fair.allow-undeclared-pools and .user-as-default-queue,
    yarn.acl.enable, and the largest container by resource type (None: not checked).
    """

    __slots__ = ("acl_enable", "largest", "undeclared_pools", "user_queues")

    def __init__(
        self,
        undeclared_pools: bool = True,
        user_queues: bool = True,
        acl_enable: bool = False,
        largest: Amount | None = None,
    ):
        self.undeclared_pools = undeclared_pools
        self.user_queues = user_queues
        self.acl_enable = acl_enable
        self.largest = largest


class Submission:
    """One application: who, the queue asked for (None: none), the size of its master (None: not checked)."""

    __slots__ = ("master", "queue", "user")

    def __init__(self, user: User, queue: str | None = None, master: Amount | None = None):
        self.user = user
        self.queue = queue
        self.master = master


class Landing:
    """The outcome: placed, exception (the client's call fails), failed (the application ends FAILED) or fatal.

    `step` names what decided: rules, name, am_size, acl, queue or zero; `code` and `text` say why. `rule` is the one
    that placed (None: none did), `queue` the full name of the leaf, or of the queue that was refused. `made` are the
    queues made for it, parents first. `access` is known once a queue is.
    """

    __slots__ = ("access", "code", "made", "outcome", "queue", "requested", "rule", "step", "steps", "text")

    def __init__(self, requested: str, steps: list[Step] | None):
        self.requested = requested
        self.steps = steps
        self.outcome = PLACED
        self.step = ""
        self.code = ""
        self.text = ""
        self.rule: Rule | None = None
        self.queue = ""
        self.made: list[Known] = []
        self.access: Verdict | None = None

    def end(self, outcome: str, step: str, code: str, text: str) -> Landing:
        """Returns itself with this end."""
        self.outcome, self.step, self.code, self.text = outcome, step, code, text
        return self


class Placement:
    """Places applications under one file and one Hadoop version; see `submit`.

    `live` holds the queues, `cluster` is the size of the cluster by resource type, for maxima in percent.
    """

    def __init__(self, raw: RawAllocation, tree: QueueTree, settings: Settings, cluster: Amount | None = None):
        self.tree = tree
        self.cluster = tree.types.zero() if cluster is None else cluster
        self.settings = settings
        self.new = tree.profile.features.placement_rewrite
        self.version = tree.profile.version
        rules = raw.rules
        self.implicit = rules is None
        if rules is None:
            rules = implicit_rules(settings.undeclared_pools, settings.user_queues)
        self.policy = policy_of(rules, tree.profile, raw)
        self.access = Access(raw, tree.profile)
        self.live = Live(tree)

    def submit(self, submission: Submission, *, trace: bool = False, keep: bool = False) -> Landing:
        """Returns what becomes of an application. `keep`: queues made for it stay for those that come later."""
        requested = "default" if submission.queue is None else submission.queue
        landing = Landing(requested, [] if trace else None)
        return (self._new if self.new else self._old)(submission, requested, landing, keep)

    # -- 3.3 and later

    def _new(self, submission: Submission, requested: str, landing: Landing, keep: bool) -> Landing:
        user = submission.user
        try:
            decided = self.policy.decide(self.live, user, requested, landing.steps)
        except Stop as stop:
            return landing.end(EXCEPTION, "rules", stop.code, str(stop))
        if not requested:
            return landing.end(EXCEPTION, "name", "EMPTY_REQ", "the name of the queue asked for is empty")
        queue = requested
        if decided.queue is not None and decided.queue.lower() != requested.lower():
            queue = decided.queue
        landing.rule, landing.queue = decided.rule, full_name(queue)
        exists = self.live.get(queue)
        if self._too_big(submission, queue if exists is not None else None):
            return landing.end(EXCEPTION, "am_size", "AM_TOO_BIG", "the master is larger than a container may be")
        if self.settings.acl_enable and decided.queue is not None:
            nearest = self._nearest(queue)
            if nearest is None:
                text = f"Hadoop's search for a queue above {queue} fails: the name does not begin with root."
                return landing.end(EXCEPTION, "other", "ACL_SPELLING", text)
            landing.access = self.access.submit(user.name, user.groups or (), nearest)
            if not landing.access.allowed:
                return landing.end(EXCEPTION, "acl", "ACL_RM", f"no list lets the user submit to {nearest}")
        queue = self._reserved(queue)
        if decided.queue is None:
            return landing.end(FAILED, "rules", "NO_PLACEMENT", "every rule passed, so it is rejected")
        try:
            landing.queue, landing.made = self.live.leaf(queue, keep=keep)
        except BadName as error:
            return landing.end(FATAL, "queue", "BAD_NODE", str(error))
        except NoLeaf as error:
            landing.made = error.made
            return landing.end(FAILED, "queue", error.code, str(error))
        return self._permitted(landing, user) or self._zero(landing, submission) or landing

    def _nearest(self, queue: str) -> str | None:
        """Returns the queue whose lists RMAppManager looks at: the deepest of the name as it is spelt that exists.

        None where there is none: an exception nobody expects (seen on 3.4.1).
        """
        while (known := self.live.get(queue)) is None:
            queue, dot, _ = queue.rpartition(".")
            if not dot:
                return None
        return known.name

    # -- up to 3.2

    def _old(self, submission: Submission, requested: str, landing: Landing, keep: bool) -> Landing:
        user = submission.user
        if not requested and self.version >= (3, 1, 1):
            return landing.end(EXCEPTION, "name", "EMPTY_REQ", "the name of the queue asked for is empty")
        if self._too_big(submission, requested):
            return landing.end(EXCEPTION, "am_size", "AM_TOO_BIG", "the master is larger than a container may be")
        requested = self._reserved(requested)
        if not requested:
            return landing.end(FAILED, "name", "EMPTY_REQ", "the name of the queue asked for is empty")
        if self.version >= (2, 7, 0) and (requested.startswith(".") or requested.endswith(".")):
            return landing.end(FAILED, "name", "BAD_NAME", f"{requested!r} begins or ends with a dot")
        try:
            decided = self.policy.decide(self.live, user, requested, landing.steps)
        except Stop as stop:
            code = "NO_PLACEMENT" if stop.rejects else stop.code
            return landing.end(FATAL if stop.uncaught else FAILED, "rules", code, str(stop))
        assert decided.queue is not None
        landing.rule, landing.queue = decided.rule, full_name(decided.queue)
        try:
            landing.queue, landing.made = self.live.leaf(decided.queue, keep=keep)
        except BadName as error:
            return landing.end(FAILED, "queue", "BAD_NODE", str(error))
        except NoLeaf as error:
            landing.made = error.made
            return landing.end(FAILED, "queue", error.code, str(error))
        return self._zero(landing, submission) or self._permitted(landing, user) or landing

    # -- checks

    def _too_big(self, submission: Submission, queue: str | None) -> bool:
        """Tells whether the master is above the maximum allocation, or above the queue's maxContainerAllocation."""
        master, largest = submission.master, self.settings.largest
        if master is None:
            return False
        if largest is not None and any(part > most for part, most in zip(master, largest, strict=True)):
            return True
        if queue is None or not self.tree.profile.features.max_container_allocation:
            return False
        if self.live.get(queue) is None:
            return False  # of a queue that is still to be made nothing is known, whatever those above it say
        limit = self.tree.max_container(self.queue(full_name(queue))).value
        return limit is not None and any(part > most for part, most in zip(master, limit.amount, strict=True))

    def queue(self, name: str) -> Queue:
        """Returns a queue with what is in force for it, whether it exists or is made on the fly.

        Where the file names one that could not be made with it (policies in conflict), its own values count.
        """
        missing = []
        while (found := self.tree.queues.get(name)) is None:
            missing.append(name)
            name = parent_of(name)
        for level in reversed(missing):
            found = self.tree.new_queue(level, found, True, self.tree.policy_for(level))
        return found

    def _reserved(self, name: str) -> str:
        """Returns the queue for applications without a reservation, where a reservable queue is asked for."""
        known = self.live.get(name) if name else None
        if known is None or not self.tree.profile.features.reservations:
            return name
        written = self.tree.written.get(known.name)
        if written is None or "reservation" not in written.fields:
            return name
        return f"{known.name}.{known.name.rpartition('.')[2]}-default"

    def _permitted(self, landing: Landing, user: User) -> Landing | None:
        """Returns None where the user may submit; looked at whether or not yarn.acl.enable is set."""
        landing.access = self.access.submit(user.name, user.groups or (), landing.queue)
        if landing.access.allowed:
            return None
        return landing.end(FAILED, "acl", "ACL_SCHED", f"no list lets the user submit to {landing.queue}")

    def _zero(self, landing: Landing, submission: Submission) -> Landing | None:
        """Returns None unless the master asks for something of which the leaf may have nothing (3.2 and later)."""
        if submission.master is None or not self.tree.profile.features.zero_resource_rejected:
            return None
        most = self.tree.max_at(self.queue(landing.queue), self.cluster)
        names = [
            name
            for name, part, limit in zip(self.tree.types.names, submission.master, most, strict=True)
            if part > 0 and limit == 0
        ]
        if not names:
            return None
        text = f"the maximum of {landing.queue} is 0 {' and '.join(names)}, and the master asks for some"
        return landing.end(FAILED, "zero", "ZERO_RESOURCE", text)
