"""Makes a request smaller as long as Hadoop and fairsim differ in the same matter: a few rounds of many questions."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence

from tests.oracle.ask import Request
from tests.oracle.compare import file_of
from tests.oracle.spans import attributes, elements, pieces, without

#: Tells for each request whether the two sides still differ in the same matter.
Test = Callable[[Sequence[Request]], list[bool]]
Cut = tuple[tuple[int, int], ...]

MOST_ROUNDS = 40
MOST_CUTS = 150  # of one round
_SIZES = (1, 10, 100, 1000, 10_000)


def shrink(request: Request, shrinks: Sequence[str], test: Test) -> Request:
    """Returns the smallest request that was found."""
    for _ in range(MOST_ROUNDS):
        smaller = _round(request, shrinks, test)
        if smaller == request:
            break
        request = smaller
    return request


def _round(request: Request, shrinks: Sequence[str], test: Test) -> Request:
    for candidates in (list(_parts(request, shrinks)), list(_sizes(request))):
        request = _first_of(candidates, test) or request
    return _shorter(request, test)


def _first_of(candidates: list[Request], test: Test) -> Request | None:
    passed = [one for one, same in zip(candidates, test(candidates), strict=True) if same] if candidates else []
    return min(passed, key=_length) if passed else None


def _length(request: Request) -> int:
    return len(json.dumps(request))


# -- what is beside the file


def _parts(request: Request, shrinks: Sequence[str]) -> Iterator[Request]:
    """Yields the request without one of its parts, and without a part of those."""
    for key in (*shrinks, "resource_types"):
        if key not in request:
            continue
        yield {name: value for name, value in request.items() if name != key}
        for smaller in _less(request[key]):
            yield request | {key: smaller}
    types = request.get("resource_types", {})
    for name in types:
        cluster = {kind: size for kind, size in request.get("cluster", {}).items() if kind != name}
        fewer = {kind: unit for kind, unit in types.items() if kind != name}
        yield request | {"resource_types": fewer} | ({"cluster": cluster} if "cluster" in request else {})


def _less(value: object) -> Iterator[object]:
    """Yields the value, a map or a list, without one of its members, at any depth."""
    if isinstance(value, dict):
        for key in value:
            yield {name: part for name, part in value.items() if name != key}
            for smaller in _less(value[key]):
                yield value | {key: smaller}
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
            for smaller in _less(value[index]):
                yield [*value[:index], smaller, *value[index + 1 :]]


def _sizes(request: Request) -> Iterator[Request]:
    """Yields the request with a smaller, rounder cluster."""
    cluster = request.get("cluster", {})
    for name, size in cluster.items():
        for rounder in (0, *_SIZES):
            if rounder < size:
                yield request | {"cluster": cluster | {name: rounder}}


# -- the file


def _with(request: Request, text: str) -> Request:
    """Returns the request with this file; `text` has a character for each byte."""
    data = text.encode("latin-1")
    rest = {name: value for name, value in request.items() if name not in ("alloc", "alloc_b64")}
    try:
        return rest | {"alloc": data.decode("utf-8")}
    except UnicodeDecodeError:
        return rest | {"alloc_b64": base64.b64encode(data).decode()}


def _shorter(request: Request, test: Test) -> Request:
    """Returns the request with as much of its file cut as one round finds, or the request itself."""
    text = file_of(request).decode("latin-1")
    for cuts in (_elements(text), _small(text), _pieces(text)):
        tried = sorted(cuts, key=_size, reverse=True)[:MOST_CUTS]
        good = [cut for cut, same in zip(tried, test([_cut(request, text, cut) for cut in tried]), strict=True) if same]
        if not good:
            continue
        # together, as many of them as go together: the largest first
        joined = [tuple(span for cut in good[:count] for span in cut) for count in range(1, len(good) + 1)]
        several = joined[:: max(1, len(joined) // 20)] + joined[-1:]
        passed = test([_cut(request, text, cut) for cut in several])
        return _cut(request, text, max((cut for cut, same in zip(several, passed, strict=True) if same), key=_size,
                                       default=good[0]))  # fmt: skip
    return request


def _cut(request: Request, text: str, cut: Cut) -> Request:
    return _with(request, without(text, cut))


def _size(cut: Cut) -> int:
    return sum(end - start for start, end in cut)


def _elements(text: str) -> list[Cut]:
    """Returns cuts of whole elements, and of the tags around what is in one."""
    spans = elements(text)
    whole: list[Cut] = [((span.start, span.end),) for span in spans]
    around: list[Cut] = [((span.start, span.inner), (span.inner_end, span.end)) for span in spans]
    return whole + around


def _small(text: str) -> list[Cut]:
    """Returns cuts of attributes, and of the text of elements that hold nothing else."""
    cuts: list[Cut] = [(span,) for span in attributes(text)]
    for span in elements(text):
        inner = text[span.inner : span.inner_end]
        if "<" not in inner and len(inner) > 1:
            half = span.inner + len(inner) // 2
            cuts += [((span.inner, half),), ((half, span.inner_end),), ((span.inner, span.inner + 1),)]
            cuts.append(((span.inner_end - 1, span.inner_end),))
    return cuts


def _pieces(text: str) -> list[Cut]:
    """Returns cuts of runs of tags and texts, for files that are no XML, and of blanks."""
    parts = pieces(text)
    cuts: list[Cut] = []
    length = len(parts)
    while length:
        cuts += [((parts[at][0], parts[min(at + length, len(parts)) - 1][1]),) for at in range(0, len(parts), length)]
        length //= 2
    for start, end in parts:
        if not text[start:end].strip():
            cuts.append(((start, end),))
        elif len(parts) < 12 and end - start > 1:
            middle = (start + end) // 2
            cuts += [((start, middle),), ((middle, end),)]
    return cuts
