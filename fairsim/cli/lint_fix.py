"""`fairsim lint --fix`: mends files, and says what that changes in shares and placement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fairsim.cli import exits
from fairsim.cli.output import Output, whole_file
from fairsim.cli.reading import STDIN, read_input
from fairsim.errors import UsageError
from fairsim.lint.case import Case
from fairsim.lint.fix import applied, edits_of
from fairsim.lint.run import Looked
from fairsim.units import format_amount

if TYPE_CHECKING:
    from fairsim.cli.lint_answer import Scene

ROUNDS = 10  # an edit may bring to light what the next one mends
MOST = 20  # changes of shares that are told


def mend(paths: Sequence[str], scene: Scene, out: Output, *, unsafe: bool, only_show: bool) -> int:
    """Mends the files, or with `only_show` writes the differences; returns the exit code. Raises FairsimError."""
    if STDIN in paths and not only_show:
        raise UsageError("standard input cannot be mended", where="--fix", hint="name a file, or use --diff")
    differences = []
    for path in paths:
        source = read_input(path, out, out.given.get("stdin_name", "<stdin>"))
        out.sources.pop()
        data, count = _mended(source.data, source.name, scene, unsafe)
        if data == source.data:
            continue
        if only_show:
            differences.append(_difference(source.data, data, source.name))
        else:
            with whole_file(path) as write:
                write(data)
            out.say(f"{source.name}: {count} {'finding' if count == 1 else 'findings'} mended")
        for line in _effects(source.data, data, source.name, scene):
            out.say(f"{source.name}: {line}")
    if not only_show:
        return exits.ANSWERED
    out.write("".join(differences))
    return exits.NO if differences else exits.ANSWERED


def _mended(data: bytes, name: str, scene: Scene, unsafe: bool) -> tuple[bytes, int]:
    """Returns the bytes with everything mended that can be, and how many findings that are.

    An edit after which a version refuses what it took before is not made.
    """
    found, _, looks = scene.look(data, name)
    count = 0
    for _ in range(ROUNDS):
        if any(one.case is None for one in looks):
            break
        edits = edits_of(data, [one.finding for one in found if one.where is None], unsafe=unsafe)
        better = applied(data, edits)
        if better == data:
            break
        found, _, again = scene.look(better, name)
        if any(_loads(one) and not _loads(other) for one, other in zip(looks, again, strict=True)):
            break
        data, looks = better, again
        count += len({edit.finding for edit in edits})
    return data, count


def _loads(look: Looked) -> bool:
    return look.case is not None and look.case.loads


def _difference(old: bytes, new: bytes, name: str) -> str:
    """Returns the unified difference of two contents of a file."""
    from difflib import unified_diff

    before, after = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (old, new))
    lines = unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


# -- what it changes


def _effects(old: bytes, new: bytes, name: str, scene: Scene) -> Iterator[str]:
    """Yields what Hadoop does differently with the new contents, version by version."""
    before, after = scene.look(old, name)[2], scene.look(new, name)[2]
    for label, one, other in zip(scene.labels, before, after, strict=True):
        if not _loads(other):
            yield f"Hadoop {label} would not load it, before and after"
        elif not _loads(one):
            yield f"Hadoop {label} would load it now, and did not before"
        elif one.case is not None and other.case is not None:
            changes = [*_shares(one.case, other.case), *_placements(one.case, other.case)]
            yield from (f"Hadoop {label}: {change}" for change in changes[:MOST])
            if len(changes) > MOST:
                yield f"Hadoop {label}: {len(changes) - MOST} more changes"
            if not changes:
                yield f"Hadoop {label}: {_same(other.case)}"


def _same(case: Case) -> str:
    """What was compared, where nothing differs."""
    compared = (("shares", "--cluster", case.cluster), ("placement", "--groups-file", case.users))
    parts = [f"the same {what}" for what, _, given in compared if given is not None]
    parts += [f"{option} would show the {what}" for what, option, given in compared if given is None]
    return "; ".join(parts)


def _shares(one: Case, other: Case) -> Iterator[str]:
    if one.cluster is None:
        return
    from fairsim.shares.solve import solve  # loads what computes

    old, new = solve(one.tree, one.size), solve(other.tree, other.size)
    was = {queue.name: amount for queue, amount in zip(old.queues, old.steady, strict=True)}
    now = {queue.name: amount for queue, amount in zip(new.queues, new.steady, strict=True)}
    for name in dict.fromkeys([*was, *now]):
        if was.get(name) != now.get(name):
            texts = [format_amount(part[name], one.types) if name in part else "no such queue" for part in (was, now)]
            yield f"steady share of {name}: {texts[0]} -> {texts[1]}"


def _placements(one: Case, other: Case) -> Iterator[str]:
    if one.users is None:
        return
    from fairsim.placement.rules import User
    from fairsim.placement.submission import Placement, Settings, Submission

    desks = [Placement(case.raw, case.tree, Settings()) for case in (one, other)]
    for user, groups in one.users.items():
        submission = Submission(User(user, groups))
        was, now = (landing.queue if landing.outcome == "placed" else f"refused ({landing.code})"
                    for landing in (desk.submit(submission) for desk in desks))  # fmt: skip
        if was != now:
            yield f"{user} lands in {now}, before in {was}"
