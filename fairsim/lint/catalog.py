"""All rules, by code. A code is never given away again; those no longer in use stand in RETIRED."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from fairsim.errors import UsageError
from fairsim.lint.rule import Rule

#: The modules that hold a family of rules each: FS00 and FS01, then FS1 to FS9.
FAMILIES = (
    "operation", "suppress", "markup", "structure", "resources", "limits", "timeouts", "policies", "acls", "placement",
    "capacity", "site",
)  # fmt: skip

#: Codes that once were rules: what became of each.
RETIRED: dict[str, str] = {
    "FS004": "every error that keeps a file from loading says what a reload does",
    "FS605": "an empty access list is FS104, as any empty element",
}


@cache
def all_rules() -> dict[str, Rule]:
    """Returns every rule by its code, in the order of the codes."""
    rules = [rule for family in FAMILIES for rule in import_module(f"fairsim.lint.{family}").FAMILY]
    return {rule.code: rule for rule in sorted(rules, key=lambda rule: rule.code)}


def chosen(texts: Iterable[str], option: str) -> tuple[str, ...]:
    """Returns the codes and prefixes in such texts as `FS1,FS301`. Raises UsageError for what is no rule."""
    found: list[str] = []
    for text in texts:
        for part in text.split(","):
            code = part.strip().upper()
            if not code:
                continue
            if code in RETIRED:
                raise UsageError(f"{code} is no longer a rule: {RETIRED[code]}", where=option)
            if code == "ALL":
                code = "FS"
            if not any(known.startswith(code) for known in all_rules()):
                raise _unknown(part.strip(), option)
            found.append(code)
    return tuple(found)


def find(text: str) -> Rule:
    """Returns the rule of a code or a name. Raises UsageError with the nearest one."""
    code = text.strip().upper()
    if code in RETIRED:
        raise UsageError(f"{code} is no longer a rule: {RETIRED[code]}")
    rules = all_rules()
    rule = rules.get(code) or next((one for one in rules.values() if one.name == text.strip().lower()), None)
    if rule is None:
        raise _unknown(text, "")
    return rule


def _unknown(text: str, option: str) -> UsageError:
    from fairsim.diag import did_you_mean

    rules = all_rules()
    near = did_you_mean(text, [*rules, *(rule.name for rule in rules.values())])
    hint = f"did you mean {near}?" if near else "codes are FS and three digits; fairsim explain --all lists them"
    return UsageError(f"there is no rule {text!r}", where=option or None, hint=hint)
