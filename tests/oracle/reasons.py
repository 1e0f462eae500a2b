"""The exceptions of Hadoop behind the codes of fairsim: does fairsim name the reason at which Hadoop stops?"""

from __future__ import annotations

import re

_BAD = "AllocationConfigurationException: "
_NUMBER = "NumberFormatException: "
_QUEUE_FORM = rf"{_BAD}(?:The configuration settings for .* are invalid|Both <reservation> and type=\"parent\" found)"

_RESOURCE = rf"(?:{_BAD}|ResourceNotFoundException: |{_NUMBER})"

#: Code to what the root cause must match: its class and message.
_REASONS = {
    "FS101": r"(?:SAXParseException|MalformedByteSequenceException|UnsupportedEncodingException|CharConversionExc)",
    "FS102": rf"{_BAD}Bad fair scheduler config file: top-level element not <allocations>",
    "FS103": r"SAXParseException: DOCTYPE",
    "FS104": r"NullPointerException",
    "FS105": r"ClassCastException",
    "FS201": rf"{_BAD}Bad fair scheduler config file: queue name shouldn't be empty",
    "FS202": rf"{_BAD}Bad fair scheduler config file: queue name .* shouldn't contain period",
    "FS205": rf"{_BAD}If configuring root queue",
    "FS212": _QUEUE_FORM,
    "FS213": _QUEUE_FORM,
    "FS216": _QUEUE_FORM,
    "FS401": _NUMBER,
    "FS407": _NUMBER,
    "FS418": _NUMBER,
    "FS428": _NUMBER,
    "FS501": rf"{_BAD}.*SchedulingPolicy class not found",
    "FS502": rf"{_BAD}Bad fair scheduler config file: defaultQueueSchedulingPolicy",
    "FS701": rf"(?:{_BAD}Empty configuration for QueuePlacementPolicy|IndexOutOfBoundsException)",
    "FS702": r"IndexOutOfBoundsException",
    "FS703": rf"{_BAD}No name provided for a rule",
    "FS704": rf"{_BAD}No rule class found for",
    "FS705": rf"{_BAD}Rules after rule",
    "FS706": rf"{_BAD}Could get past last queue placement rule",
    "FS707": rf"{_BAD}Could get past last queue placement rule",
    "FS708": rf"{_BAD}(?:Rule 'nestedUserQueue' must have a parent rule|No nested rule specified)",
    "FS709": rf"{_BAD}Rules after rule",
    "FS710": rf"{_BAD}Could get past last queue placement rule",
    "FS711": rf"{_BAD}Rule '.*' is not allowed as a parent rule",
    "FS712": r"IOException: Parent rule (?:must|should) not be configured",
    "FS713": r"IOException: Parent rule may not be the same type",
    "FS925": _NUMBER,
}


def agree(code: str, why: str) -> bool:
    """Tells whether this exception is the one that the code stands for; true for a code that is not in the table."""
    pattern = _RESOURCE if code.startswith("FS3") else _REASONS.get(code)
    return pattern is None or re.match(pattern, why, re.DOTALL) is not None
