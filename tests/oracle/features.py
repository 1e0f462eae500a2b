"""What is special about a case: names of the things that it shows, so that a choice of cases shows many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tests.oracle.ask import Request
from tests.oracle.compare import Answer, file_of
from tests.oracle.spans import Span, elements

_DIGITS = re.compile(r"\d+")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def features(request: Request, answer: Answer, fields: Sequence[str]) -> set[str]:
    """Returns the features of a case and of Hadoop's answer to it."""
    found = {f"site {name}={text}" for name, text in request.get("site", {}).items()}
    found.add(f"types {len(request.get('resource_types', ()))}")
    found |= set(_of_text(file_of(request).decode("utf-8", "replace")))
    if "queues" not in answer:
        return found | {f"verdict {_DIGITS.sub('9', str(answer))[:80]}"}
    if "outcome" in fields:
        return found | set(_of_landings(request, answer["queues"]))
    found |= set(_of_queues(answer["queues"], fields))
    for apps in answer.get("apps", {}).values():
        found |= {f"app runs {app[0]}, share {_kind(app[1], [])}" for app in apps}
        found.add(f"{len(apps)} apps")
    config = answer.get("config", {})
    found |= {f"rules {rule[:2]} {rule[3]}" for rule in config.get("placement", ())}
    rights = [pair for queue in config.get("acls", {}).values() for pair in queue.items()]
    return found | {f"rights {kind} {right}" for kind, right in rights}


def _of_text(text: str) -> Iterator[str]:
    around: list[tuple[Span, Counter[str]]] = []

    def close(before: int) -> Iterator[str]:
        while around and around[-1][0].end <= before:
            span, below = around.pop()
            if below:
                yield f"{span.tag} of {sorted(below)}"
                yield f"{below['queue'] // 3} x 3 queues in {span.tag}"

    for span in sorted(elements(text), key=lambda one: (one.start, -one.end)):
        yield from close(span.start)
        for _, below in around[-1:]:
            below[span.tag] += 1
        yield f"{around[-1][0].tag if around else ''} > {span.tag}"
        around.append((span, Counter()))
        inner = text[span.inner : span.inner_end]
        if "<" not in inner:
            yield f"{span.tag}: {_DIGITS.sub('9', inner)}"
        for name, value in _ATTRIBUTE.findall(text[span.start : span.inner]):
            yield f"{span.tag} {name}={_DIGITS.sub('9', value)}"
    yield from close(len(text) + 1)


def _of_queues(queues: dict[str, list[Any]], fields: Sequence[str]) -> Iterator[str]:
    """Yields how the values of queues relate to each other."""
    yield f"{len(queues) // 4} x 4 queues"
    for name, values in queues.items():
        queue = dict(zip(fields, values, strict=True))
        above = queues.get(name.rpartition(".")[0])
        yield f"{queue['policy']} below {above[1] if above else None}, leaf {queue['leaf']}, depth {name.count('.')}"
        bounds = [queue["min"], queue["max"]]
        for field in ("steady", "instantaneous", "am_limit", "max_child", "max_container_allocation"):
            if field in queue:
                yield f"{field} {_kind(queue[field], bounds)}, {queue['policy']}"
        for field, value in queue.items():
            if not isinstance(value, list) and field not in ("leaf", "policy"):
                yield f"{field} {_DIGITS.sub('9', str(value))}"


def _of_landings(request: Request, answers: dict[str, list[Any]]) -> Iterator[str]:
    """Yields what becomes of submissions, and of what kind they are."""
    yield f"stateful {request.get('stateful', False)}, dynamic {len(request.get('dynamic', ()))}"
    for number, told in enumerate(request["submissions"]):
        outcome, step, queue, made = answers[f"submission {number}"]
        asked, groups = told.get("queue"), told.get("groups")
        at_end = "none" if asked is None else "odd" if asked != asked.strip() or not asked.strip(".") else "plain"
        number_of_groups = "no" if groups is None else len(groups)
        yield f"{outcome} {step} {len(made)} made, asked {at_end}, {number_of_groups} groups, master {'am' in told}"
        yield f"{outcome} {queue}"


def _kind(amount: Any, bounds: Sequence[Any]) -> str:
    """Returns of each type whether it is nothing, at a bound, or large."""
    if amount is None:
        return "none"
    words = []
    for kind, part in enumerate(amount):
        at = [number for number, bound in enumerate(bounds) if bound[kind] == part]
        words.append("0" if part == 0 else f"bound {at[0]}" if at else "large" if part > 2**31 else "some")
    return " ".join(words)


def chosen(sets: Sequence[set[str]], sizes: Sequence[int], count: int) -> list[int]:
    """Returns `count` places of cases, in order: those that show what few others show, small ones first."""
    order = sorted(range(len(sets)), key=lambda index: sizes[index])
    seen: Counter[str] = Counter()
    taken: set[int] = set()
    enough = 1
    while len(taken) < min(count, len(sets)):
        for index in order:
            if index not in taken and len(taken) < count and any(seen[one] < enough for one in sets[index]):
                taken.add(index)
                seen.update(sets[index])
        enough *= 2
    return sorted(taken)
