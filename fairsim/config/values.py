"""Value elements of the allocation file: how each text becomes a value, and what is refused.

Follows AllocationFileParser and AllocationFileQueueParser (AllocationFileLoaderService up to 3.0).
"""

from __future__ import annotations

from collections.abc import Callable

from fairsim.config.resource_text import ResourceSpec, ResourceTextError, parse_resource, quoted
from fairsim.javanum import LONG_MAX, float32, parse_double, parse_float, parse_int, parse_long, trim, wrap_long
from fairsim.model.resources import ResourceTypes
from fairsim.patterns import Pattern
from fairsim.profiles import Profile


class ValueRefused(Exception):
    """Hadoop throws at this value: code and name of the finding, what is wrong, what to write instead."""

    def __init__(self, code: str, name: str, message: str, hint: str = ""):
        super().__init__(message)
        self.code, self.name, self.message, self.hint = code, name, message, hint


POLICIES = ("fair", "fifo", "drf")
_CLASSES = {
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies." + simple: name
    for simple, name in (
        ("FairSharePolicy", "fair"),
        ("FifoPolicy", "fifo"),
        ("DominantResourceFairnessPolicy", "drf"),
    )
}
# a class of one's own stands in a package; what comes with Java and Hadoop holds no further policies
_CLASS_NAME = Pattern(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)+")
_NOT_POLICIES = ("java.", "javax.", "org.apache.hadoop.")


class Values:
    """The parsers of one file for one Hadoop version and set of resource types."""

    def __init__(self, profile: Profile, types: ResourceTypes):
        self.profile = profile
        self.types = types
        self._specs: dict[tuple[str, int], ResourceSpec] = {}

    def integer(self, text: str) -> int:
        """Returns the int of maxRunningApps and its kind."""
        value = parse_int(trim(text))
        if value is None:
            raise ValueRefused(
                "FS407", "integer-malformed", f"{quoted(trim(text))} is not a 32-bit whole number", "write digits only"
            )
        return value

    def seconds(self, text: str) -> int:
        """Returns a timeout in ms; the product wraps at 64 bits as in Java."""
        value = parse_long(trim(text))
        if value is None:
            raise ValueRefused(
                "FS418",
                "timeout-not-integer",
                f"{quoted(trim(text))} is not a whole number of seconds",
                "write seconds without a unit",
            )
        return wrap_long(value * 1000)

    def weight(self, text: str) -> float:
        """Returns the weight: parsed as double, rounded to float."""
        value = parse_double(text)
        if value is None:
            message = f"weight {quoted(trim(text))} is not a number"
            raise ValueRefused("FS401", "weight-not-a-number", message, "write a number such as 2.0")
        return float32(value)

    def am_share(self, text: str) -> float:
        """Returns maxAMShare, 1 at most."""
        value = self._float(text)
        return value if value != value else min(value, 1.0)

    def threshold(self, text: str) -> float:
        """Returns a preemption threshold, cut to 0 ... 1; NaN stays."""
        value = self._float(text)
        return value if value != value else max(min(value, 1.0), 0.0)

    def _float(self, text: str) -> float:
        value = parse_float(text)
        if value is None:
            raise ValueRefused(
                "FS428", "number-malformed", f"{quoted(trim(text))} is not a number", "write a number such as 0.5"
            )
        return value

    def boolean(self, text: str) -> bool:
        """Returns true for `true` in any case, false for everything else."""
        return trim(text).lower() == "true"

    def policy(self, text: str) -> str:
        """Returns fair, fifo, drf, or the class name of a policy of somebody's own."""
        word = trim(text)
        name = word.lower().replace("\u0131", "i")  # equalsIgnoreCase takes a dotless i for an i
        if name in POLICIES:
            return name
        if word in _CLASSES:
            return _CLASSES[word]
        if not _CLASS_NAME.fullmatch(word) or word.startswith(_NOT_POLICIES):
            from fairsim.diag import did_you_mean

            near = did_you_mean(word, POLICIES)
            raise ValueRefused(
                "FS501",
                "policy-unknown",
                f"unknown scheduling policy {quoted(word)}",
                f"did you mean {near}?" if near else "write fair, fifo or drf",
            )
        return word

    def default_policy(self, text: str) -> str:
        """Returns the default policy; fifo is refused from 2.9 on (YARN-4784), its class name is not."""
        letters = trim(text).replace("\u0130", "i").lower().replace("\u0131", "i")  # equalsIgnoreCase
        if letters == "fifo" and self.profile.features.no_default_fifo:
            raise ValueRefused(
                "FS502",
                "default-policy-fifo",
                "fifo can not be the default: parents may not be fifo",
                "write fair or drf here and <schedulingPolicy>fifo</schedulingPolicy> in the leaves",
            )
        return self.policy(text)

    def maximum(self, text: str) -> ResourceSpec:
        """Returns a resource limit; types that a name=value text leaves out are unbounded."""
        return self._resource(text, LONG_MAX)

    def minimum(self, text: str) -> ResourceSpec:
        """Returns minResources; types that a name=value text leaves out are 0."""
        return self._resource(text, 0)

    def _resource(self, text: str, missing: int) -> ResourceSpec:
        spec = self._specs.get((text, missing))
        if spec is None:
            try:
                spec = parse_resource(text, self.profile, self.types, missing)
            except ResourceTextError as error:
                raise ValueRefused(error.code, error.name, error.message, error.hint) from None
            self._specs[text, missing] = spec
        return spec

    def text(self, text: str) -> str:
        """Returns the text as it is (ACLs are not trimmed)."""
        return text

    def word(self, text: str) -> str:
        """Returns the trimmed text (class names)."""
        return trim(text)


Parser = Callable[[Values, str], object]

#: Elements of a queue: parser, and the feature that brought the element (None: in every known version).
QUEUE_ELEMENTS: dict[str, tuple[Parser, str | None]] = {
    "weight": (Values.weight, None),
    "minResources": (Values.minimum, None),
    "maxResources": (Values.maximum, None),
    "maxChildResources": (Values.maximum, "max_child_resources"),
    "maxContainerAllocation": (Values.maximum, "max_container_allocation"),
    "maxRunningApps": (Values.integer, None),
    "maxAMShare": (Values.am_share, None),
    "minSharePreemptionTimeout": (Values.seconds, None),
    "fairSharePreemptionTimeout": (Values.seconds, None),
    "fairSharePreemptionThreshold": (Values.threshold, None),
    "schedulingPolicy": (Values.policy, None),
    "schedulingMode": (Values.policy, None),
    "allowPreemptionFrom": (Values.boolean, "allow_preemption_from"),
    "aclSubmitApps": (Values.text, None),
    "aclAdministerApps": (Values.text, None),
    "aclAdministerReservations": (Values.text, "reservation_acls"),
    "aclListReservations": (Values.text, "reservation_acls"),
    "aclSubmitReservations": (Values.text, "reservation_acls"),
    "reservation": (Values.text, "reservations"),
}

#: Top-level value elements: parser, feature, and whether Hadoop 3.1 and later parses it only when it is needed.
TOP_ELEMENTS: dict[str, tuple[Parser, str | None, bool]] = {
    "userMaxAppsDefault": (Values.integer, None, True),
    "queueMaxAppsDefault": (Values.integer, None, True),
    "queueMaxResourcesDefault": (Values.maximum, "queue_max_default", True),
    "queueMaxAMShareDefault": (Values.am_share, None, True),
    "defaultQueueSchedulingPolicy": (Values.default_policy, None, False),
    "defaultQueueSchedulingMode": (Values.default_policy, None, False),
    "defaultFairSharePreemptionTimeout": (Values.seconds, None, True),
    "fairSharePreemptionTimeout": (Values.seconds, None, True),
    "defaultMinSharePreemptionTimeout": (Values.seconds, None, True),
    "defaultFairSharePreemptionThreshold": (Values.threshold, None, True),
    "reservation-planner": (Values.word, "reservations", False),
    "reservation-agent": (Values.word, "reservations", False),
    "reservation-policy": (Values.word, "reservations", False),
}

ALIASES = {"schedulingMode": "schedulingPolicy", "defaultQueueSchedulingMode": "defaultQueueSchedulingPolicy"}
