"""Whether preemption could make room, from whom, and when at the earliest.

Follows FSLeafQueue.updateStarvedApps and FSPreemptionThread (2.9 and later), FairScheduler.updateStarvationStats and
preemptTasksIfNecessary (up to 2.8).
"""

from __future__ import annotations

from collections.abc import Mapping

from fairsim.javanum import LONG_MAX, shortest_float32, to_long
from fairsim.model.queues import Queue, Setting
from fairsim.model.resources import Amount
from fairsim.model.state import RUNNING, AppUse
from fairsim.why.limits import Words
from fairsim.why.parts import TELLS, Check, Source
from fairsim.why.site import SiteRules
from fairsim.why.standing import Standing

#: As many applications that could lose containers are named.
MOST = 3


def preemption_check(words: Words, rules: SiteRules, standing: Standing, queue: Queue, shares: Mapping[str, Amount],
                     cluster: Amount, ask: Amount, stopped: str) -> Check:  # fmt: skip
    """Returns what preemption would do for an application of this leaf that waits for a container of size `ask`.

    `stopped` is the name of the check that stops it, empty when none does.
    """
    tree = words.tree
    timeout = tree.preemption(queue, "fairSharePreemptionTimeout")
    switches = (rules.preemption.source, words.setting(timeout, "fairSharePreemptionTimeout"))
    numbers: dict[str, object] = {"on": bool(rules.preemption.value), "timeout_ms": _ms(timeout)}
    if not stopped:
        return Check("preemption", queue.name, TELLS, "not needed", switches, numbers=numbers)
    if stopped != "room":
        text = "would not help: it makes room, and room is not what is missing"
        return Check("preemption", queue.name, TELLS, text, switches, numbers=numbers)
    lowest = tree.preemption(queue, "minSharePreemptionTimeout")
    off = []
    if not rules.preemption.value:
        off.append("yarn.scheduler.fair.preemption is false" + _default(rules.preemption.source))
    by_min = any(queue.min) and lowest.value != LONG_MAX
    if timeout.value == LONG_MAX and not by_min:
        off.append(f"{queue.name} has no fairSharePreemptionTimeout" + _default(switches[1]))
    if off:
        missing = [] if rules.preemption.value else ["yarn.scheduler.fair.preemption=true in yarn-site.xml"]
        if len(off) > len(missing):
            missing.append("a fairSharePreemptionTimeout (or defaultFairSharePreemptionTimeout) in the allocation file")
        text = f"would not help: {' and '.join(off)}"
        return Check("preemption", queue.name, TELLS, text, switches, numbers=numbers,
                     hint=f"to let it help, set {' and '.join(missing)}")  # fmt: skip
    return _on(words, rules, standing, queue, shares, cluster, ask, (timeout, lowest), numbers)


def _on(words: Words, rules: SiteRules, standing: Standing, queue: Queue, shares: Mapping[str, Amount], cluster: Amount,
        ask: Amount, timeouts: tuple[Setting, Setting], numbers: dict[str, object]) -> Check:  # fmt: skip
    tree = words.tree
    timeout, lowest = timeouts
    threshold = tree.preemption(queue, "fairSharePreemptionThreshold")
    used = standing.used["root"]
    use = max((part / whole for part, whole in zip(used[:2], cluster[:2], strict=True) if whole), default=0.0)
    gate = float(rules.threshold.value)
    sources = (
        rules.preemption.source, words.setting(timeout, "fairSharePreemptionTimeout"),
        words.setting(threshold, "fairSharePreemptionThreshold"), rules.threshold.source,
        rules.wait_before_kill.source,
    )  # fmt: skip
    if not use > gate:
        begins = f"preemption begins above {100 * gate:.0f} %"
        text = f"would not help now: {100 * use:.0f} % of the cluster are used, {begins}"
        return Check("preemption", queue.name, TELLS, text, sources, numbers=numbers)
    details, ways = [], []
    new = tree.profile.version >= (2, 9, 0)
    number = max(standing.running[queue.name], 1)
    share = shares[queue.name][0]
    part = shortest_float32(threshold.value)
    if timeout.value != LONG_MAX:
        own = share // number if new and queue.policy != "fifo" else share
        target = to_long(own * threshold.value)
        whose = f"its part of the share of {queue.name}, {own} MB" if new else f"the share of {queue.name}, {share} MB"
        details.append(f"starved below {target} MB ({part:g} of {whose})")
        mine = standing.app.used[0] if standing.app is not None else 0
        have = mine if new else standing.used[queue.name][0]
        if new and queue.policy == "fifo" and number > 1:
            details.append("fifo gives the share to the application that came first: later ones are never starved")
        elif have >= target:
            details.append(f"{have} MB are used: not starved")
        elif new and min(target, ask[0]) < ask[0]:
            details.append(f"that is less than one container of {ask[0]} MB: nothing would be taken")
        else:
            ways.append(timeout.value)
    if any(queue.min) and lowest.value != LONG_MAX:
        missing = [name for have, low, name in zip(standing.used[queue.name], queue.min, words.names, strict=True)
                   if have < low]  # fmt: skip
        if missing:
            ways.append(lowest.value)
            details.append(f"the queue is below its minResources ({', '.join(missing)})")
    details += _victims(standing, shares, new)
    if not ways:
        text = "would not help: the application does not count as starved"
        return Check("preemption", queue.name, TELLS, text, sources, numbers=numbers, details=tuple(details))
    wait, kill = min(ways), int(rules.wait_before_kill.value)
    numbers.update({"starved_after_ms": wait, "killed_after_ms": wait + kill})
    text = f"could help: starved after {wait / 1000:g} s, containers of others end {kill / 1000:g} s later"
    return Check("preemption", queue.name, TELLS, text, sources, numbers=numbers, details=tuple(details))


def _victims(standing: Standing, shares: Mapping[str, Amount], new: bool) -> list[str]:
    """Returns who has more than the share: applications from 2.9 on, before that (and when unknown) queues."""
    tree = standing.tree
    running = [one for one in standing.state.apps if one.state == RUNNING] if new else []
    over: list[tuple[int, str]] = []
    for one in running:
        queue = tree.queues[one.queue]
        over.append((one.used[0] - _app_share(standing, queue, shares, one), f"{one.id} in {one.queue}"))
    if not running:
        leaves = [queue for queue in tree.queues.values() if queue.leaf]
        over = [(standing.used[queue.name][0] - shares[queue.name][0], queue.name) for queue in leaves]
    safe = [queue.name for queue in tree.queues.values() if queue.leaf and not tree.preemptable(queue).value]
    lines = []
    kept = [(more, name) for more, name in over if more > 0 and name.rpartition(" ")[2] not in safe]
    for more, name in sorted(kept, key=lambda one: (-one[0], one[1]))[:MOST]:
        lines.append(f"can lose containers: {name}, {more} MB above its share")
    if not kept:
        lines.append("nobody is above the share: there is nothing to take")
    if tree.profile.features.allow_preemption_from:
        lines += [f"nothing is taken from {name} (allowPreemptionFrom is false)" for name in safe[:MOST]]
    return lines


def _app_share(standing: Standing, queue: Queue, shares: Mapping[str, Amount], one: AppUse) -> int:
    number = max(standing.running[queue.name], 1)
    if queue.policy == "fifo":
        first = min((other for other in standing.state.apps if other.queue == queue.name and other.state == RUNNING),
                    key=lambda other: (other.start, other.id))  # fmt: skip
        return shares[queue.name][0] if first.id == one.id else 0
    return shares[queue.name][0] // number


def _default(source: Source) -> str:
    return " (Hadoop's default)" if source.origin == "default" else ""


def _ms(setting: Setting) -> int | None:
    return None if setting.value == LONG_MAX else int(setting.value)
