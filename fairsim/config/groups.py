"""The groups of users, as Hadoop's Groups would tell them: in order, the primary one first.

Three kinds of source: `/etc/passwd` with `/etc/group`, a list of users with their groups, and
`hadoop.user.group.static.mapping.overrides` of core-site.xml, which wins over every other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fairsim.diag import Pos
from fairsim.errors import InputError, UsageError

OVERRIDES = "hadoop.user.group.static.mapping.overrides"
#: Hadoop's own default: the user of an unsecured web page is known, and in no group.
DEFAULT_OVERRIDES = "dr.who=;"

GroupNames = tuple[str, ...]
Mapped = Mapping[str, GroupNames]

NOBODY: Mapped = {}
_OPTION = "--groups-file"
_FORMS = "write lines such as `fred: eng ops` or `fred=eng,ops`, or name passwd:FILE,group:FILE"


class UserGroups:
    """Who is in which groups; `of` answers. `given` are those of the command line, for the one user asked about.

    A user whom no source names has no groups where no source is given, and cannot be looked up where one is.
    """

    __slots__ = ("given", "listed", "overrides")

    def __init__(
        self, given: GroupNames | bool | None = False, listed: Mapped | None = None, overrides: Mapped = NOBODY
    ):
        self.given = given  # False: the command line says nothing, None: the look-up fails
        self.listed = listed
        self.overrides = overrides

    @property
    def assumed(self) -> bool:
        """Returns whether nobody says anything about groups."""
        return self.given is False and self.listed is None

    def of(self, user: str) -> GroupNames | None:
        """Returns the groups of a user, None where Hadoop cannot look them up."""
        found = self.overrides.get(user)
        if found is not None:
            return found
        if not isinstance(self.given, bool):
            return self.given
        return () if self.listed is None else self.listed.get(user)


def split_groups(text: str) -> GroupNames:
    """Returns the names in a text such as `eng,ops`; blanks around a name do not count, empty names neither."""
    return tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))


def parse_overrides(text: str, where: str) -> dict[str, GroupNames]:
    """Returns users with their groups, as `hadoop.user.group.static.mapping.overrides` says.

    Follows Groups.parseStaticMapping. Nothing is trimmed; a user without groups is known and in none. Raises InputError
    where Hadoop does not start.
    """
    found: dict[str, GroupNames] = {}
    for mapping in filter(None, text.split(";")):
        parts = [part for part in mapping.split("=") if part]
        if not 1 <= len(parts) <= 2:
            message = f"{OVERRIDES}: {mapping!r:.60} is not user=group,group: no Hadoop service starts with it"
            raise InputError(message, where=where, hint="write user1=group1,group2;user2=group3")
        names = parts[1].split(",") if len(parts) == 2 else ()
        found[parts[0]] = tuple(dict.fromkeys(filter(None, names)))
    return found


def read_groups(option: str, read: Callable[[str], bytes]) -> dict[str, GroupNames]:
    """Returns users with their groups from what `--groups-file` names; `read` gives the bytes of a file.

    Raises InputError with file and line, UsageError for an option in no known form.
    """
    if option.startswith(("passwd:", "group:")):
        paths = dict(part.split(":", 1) for part in option.split(",") if ":" in part)
        if set(paths) != {"passwd", "group"}:
            message = f"{option!r:.80} does not name both files"
            raise UsageError(message, where=_OPTION, hint="write passwd:/etc/passwd,group:/etc/group")
        return _from_system(_lines(read(paths["passwd"]), paths["passwd"]), paths["passwd"],
                            list(_lines(read(paths["group"]), paths["group"])), paths["group"])  # fmt: skip
    return _from_list(_lines(read(option), option), option)


def _lines(data: bytes, where: str) -> Iterator[tuple[int, str]]:
    """Yields the lines that say something, with their numbers."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            text = line.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError:
            hint = "save it as UTF-8"
            raise InputError("the file is not UTF-8", where=where, pos=Pos(number, 1), hint=hint) from None
        if text.strip() and not text.lstrip().startswith("#"):
            yield number, text


def _from_list(lines: Iterator[tuple[int, str]], where: str) -> dict[str, GroupNames]:
    found: dict[str, GroupNames] = {}
    for number, line in lines:
        if line.lstrip().startswith(("{", "[")):
            raise InputError("the line looks like JSON", where=where, pos=Pos(number, 1), hint=_FORMS)
        if line.count(":") >= 5:
            hint = f"name passwd:{where},group:/etc/group"
            raise InputError("the line is one of /etc/passwd", where=where, pos=Pos(number, 1), hint=hint)
        user, colon, names = line.partition(":")
        if not colon or "=" in user:
            if "=" not in line:
                message = f"{line.strip()!r:.60} does not tell groups"
                raise InputError(message, where=where, pos=Pos(number, 1), hint=_FORMS)
            found.update(parse_overrides(line, f"{where}:{number}"))
            continue
        if not user.strip():
            raise InputError("a line without a user", where=where, pos=Pos(number, 1), hint=_FORMS)
        found[user.strip()] = split_groups(names if "," in names else ",".join(names.split()))
    return found


def _from_system(
    users: Iterator[tuple[int, str]], users_file: str, groups: list[tuple[int, str]], groups_file: str
) -> dict[str, GroupNames]:
    """The primary group first, then the others in the order of the group file (`id -gn; id -Gn`)."""
    by_number: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for number, line in groups:
        name, _, gid, listed = _fields(line, 4, groups_file, number, "name:x:100:fred,ann")
        by_number.setdefault(gid, name)
        for user in split_groups(listed):
            members.setdefault(user, []).append(name)
    found: dict[str, GroupNames] = {}
    for number, line in users:
        user, _, _, gid = _fields(line, 4, users_file, number, "fred:x:1000:100:...")
        found.setdefault(user, tuple(dict.fromkeys([by_number.get(gid, gid), *members.get(user, ())])))
    for user, names in members.items():
        found.setdefault(user, tuple(names))
    return found


def _fields(line: str, count: int, where: str, number: int, example: str) -> list[str]:
    parts = line.strip().split(":")
    if len(parts) < count or not parts[0]:
        message = f"{line.strip()!r:.60} has fewer than {count} parts"
        raise InputError(message, where=where, pos=Pos(number, 1), hint=f"lines look like {example}")
    return parts[:count]
