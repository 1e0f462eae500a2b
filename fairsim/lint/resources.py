"""3xx: the texts of minResources, maxResources and their kind."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.config.resource_text import ResourceSpec
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.javanum import trim
from fairsim.lint.amounts import (
    ABSOLUTE,
    ALL,
    CAPS,
    DECIMAL,
    ITEM,
    LEADING,
    MAXIMA,
    MINUS,
    NAMED,
    THOUSANDS,
    TRAILING,
    Odd,
    as_text,
    form,
    limits,
    listed,
    named,
    odd_parts,
    pairs,
)
from fairsim.lint.case import Case
from fairsim.lint.rule import Family, Hit
from fairsim.model.queues import Field
from fairsim.model.resources import INT_MAX, MEMORY, VCORES, Amount
from fairsim.patterns import Pattern

FAMILY = Family()
_THOUSANDS = Pattern(r"(?<![0-9])([0-9]{1,3}),(?=[0-9]{3}(?![0-9]))")
_FRACTION = Pattern(r"\.0*+[1-9]")
_MINUS_PERCENT = Pattern(r"-\s*+[0-9.]++\s*+%")
_PERCENTAGE = Pattern(r"\s*+([-+]?+[0-9]++(?:\.[0-9]*+)?+)\s*+%\s*+")


def _odd(case: Case, *kinds: str) -> Iterator[tuple[str, Field, list[Odd]]]:
    """Yields the absolute values of the file that have something odd of these kinds: name, value, what it is."""
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        odd = odd_parts(spec.text) if spec.fractions is None else ()
        if odd and form(case, spec) == ABSOLUTE:
            found = [one for one in odd if one.kind in kinds]
            if found:
                yield named(key, tag), field, found


def _read_as(case: Case, spec: ResourceSpec) -> str:
    return f"read as {as_text(case, spec.at(case.types.zero()))}"


# -- the rules


@FAMILY.told("FS301", ERROR)
def resource_unparsable() -> None:
    """A text is no amount of resources at all.

    When: the text is none of the forms that this version reads, and nothing more can be said of it.
    Effect: the file is not loaded.
    Write: 4096 mb, 4 vcores; from 2.9 on also 50%; from 3.2 on also memory-mb=4096, vcores=4.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>unlimited</maxResources></queue>
    Good: <queue name="a"/>
    """


@FAMILY.told("FS302", ERROR)
def resource_blank() -> None:
    """A resource text holds only blanks.

    When: nothing is left of the text once blanks at its ends are cut off.
    Effect: the file is not loaded.
    Write: an amount, or leave the element out: without it there is no limit.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources> </maxResources></queue>
    Good: <queue name="a"><maxResources>100%</maxResources></queue>
    """


@FAMILY.told("FS303", ERROR)
def resource_part_missing() -> None:
    """An absolute text names memory or vcores, not both.

    When: the form with mb and vcores has only one of the two.
    Effect: the file is not loaded.
    Write: both parts; a minimum may have 0 vcores, a maximum must not.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><minResources>4096 mb</minResources></queue>
    Good: <queue name="a"><minResources>4096 mb, 0 vcores</minResources></queue>
    """


@FAMILY.told("FS304", ERROR)
def resource_wrong_unit() -> None:
    """A unit is neither mb nor vcores.

    When: an absolute text counts in gb, g, tb, cores, cpu and the like.
    Effect: the file is not loaded.
    Write: memory in whole mb, processors in vcores.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>4 gb, 2 cores</maxResources></queue>
    Good: <queue name="a"><maxResources>4096 mb, 2 vcores</maxResources></queue>
    """


@FAMILY.rule("FS305", WARNING)
def resource_thousands_separator(case: Case) -> Iterator[Hit]:
    """A comma between thousands cuts the number in two.

    When: digits, a comma and three digits stand before mb or vcores.
    Effect: the comma ends a part, so only the last three digits count: 1,024 mb is 24 mb.
    Write: numbers without marks: 1024 mb.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>1,024 mb, 2 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    """
    for name, field, odd in _odd(case, THOUSANDS):
        spec: ResourceSpec = field.value
        yield Hit(
            field.element, f"{name}: {odd[0].text} in {spec.text!r:.80} is written with a comma",
            _read_as(case, spec), f"write {_THOUSANDS.sub(lambda match: match[1], spec.text)}",
        )  # fmt: skip


@FAMILY.rule("FS306", ERROR)
def resource_negative(case: Case) -> Iterator[Hit]:
    """An amount has a minus sign.

    When: a minus stands before a number of a resource text.
    Effect: from 3.3 on the file is not loaded. Before, the sign is dropped; only 3.2 keeps it in the form name=value,
        and takes 0 where it computes with the limit.
    Write: the amount that is meant; no limit is said by leaving the element out.
    Versions: 3.3 and later refuse it; 2.6 to 3.2: a warning
    Source: YARN-8738
    Bad: <queue name="a"><maxResources>-1024 mb, 2 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    """
    if case.profile.features.strict_resources:
        return  # the reader says so
    for name, field, _ in _odd(case, MINUS):
        yield _negative(name, field, _read_as(case, field.value))
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if "-" not in spec.text:
            continue
        if spec.fractions is not None:
            if _MINUS_PERCENT.search(spec.text):
                yield _negative(named(key, tag), field, "the sign is dropped: the percentage counts without it")
        elif form(case, spec) == NAMED and any(value.startswith("-") for _, value in pairs(spec.text)):
            yield _negative(named(key, tag), field, "kept as it is; limits below 0 count as 0")


def _negative(name: str, field: Field, effect: str) -> Hit:
    hint = "write the amount that is meant, or leave the element out (Hadoop 3.3 and later refuse the file)"
    return Hit(field.element, f"{name}: {field.value.text!r:.80} has a minus sign", effect, hint, WARNING)


@FAMILY.rule("FS307", WARNING)
def resource_decimal(case: Case) -> Iterator[Hit]:
    """An absolute amount has a decimal point.

    When: mb or vcores are written with decimals; from 2.8 on only where they are not zeros.
    Effect: what stands behind the point is cut off. Hadoop 2.6 and 2.7 do worse and take only the digits behind it.
    Write: whole numbers.
    Versions: all
    Source: YARN-4256
    Bad: <queue name="a"><maxResources>2048.9 mb, 1.5 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>2048 mb, 1 vcores</maxResources></queue>
    """
    decimals = case.profile.features.decimals
    for name, field, odd in _odd(case, DECIMAL):
        worth = [one for one in odd if not decimals or _FRACTION.search(one.text)]
        if worth:
            spec: ResourceSpec = field.value
            yield Hit(
                field.element, f"{name}: {listed([one.text for one in worth])} in {spec.text!r:.80} is no whole number",
                _read_as(case, spec), "write whole numbers of mb and vcores",
            )  # fmt: skip


@FAMILY.rule("FS308", WARNING)
def resource_trailing_text(case: Case) -> Iterator[Hit]:
    """Text behind a unit is passed over.

    When: in an absolute text something stands behind mb or vcores that is not read.
    Effect: none; what it was meant to say is not in force.
    Write: the two amounts alone.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>1024 mbytes, 2 vcores each</maxResources></queue>
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    """
    strict = case.profile.features.strict_resources
    for name, field, odd in _odd(case, TRAILING, *((ITEM,) if strict else ())):
        spec: ResourceSpec = field.value
        yield Hit(
            field.element, f"{name}: {listed([repr(one.text) for one in odd])} in {spec.text!r:.80} is not read",
            _read_as(case, spec), f"write {as_text(case, spec.at(case.types.zero()))}",
        )  # fmt: skip


@FAMILY.rule("FS309", ERROR)
def resource_leading_text(case: Case) -> Iterator[Hit]:
    """Something stands before the number of an absolute amount.

    When: a part of the text does not begin with its number: a word, a plus, a point, another number.
    Effect: from 3.3 on the file is not loaded. Before, the digits next to the unit count and the rest is passed over,
        so that 1e3 mb is 3 mb.
    Write: the number first: 1024 mb, 2 vcores.
    Versions: 3.3 and later refuse it; 2.6 to 3.2: a warning
    Source: YARN-7291
    Bad: <queue name="a"><maxResources>mem 1024 mb, 2 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    """
    if case.profile.features.strict_resources:
        return  # the reader says so
    for name, field, odd in _odd(case, LEADING):
        spec: ResourceSpec = field.value
        yield Hit(
            field.element, f"{name}: {odd[0].text!r:.40} stands before a number in {spec.text!r:.80}",
            _read_as(case, spec), f"write {as_text(case, spec.at(case.types.zero()))} if that is meant "
            "(Hadoop 3.3 and later refuse the file)", WARNING,
        )  # fmt: skip


@FAMILY.rule("FS310", ERROR)
def resource_third_item(case: Case) -> Iterator[Hit]:
    """An absolute text has more than two amounts.

    When: beside mb and vcores a further number with a word is written, such as disks or gpu.
    Effect: from 3.3 on the file is not loaded. Before, the further amount is passed over.
    Write: two amounts; from 3.2 on types of yarn.resource-types go into the form name=value.
    Versions: 3.3 and later refuse it; 2.6 to 3.2: a warning
    Source: YARN-7291
    Bad: <queue name="a"><maxResources>1024 mb, 2 vcores, 1 disks</maxResources></queue>
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    """
    if case.profile.features.strict_resources:
        return  # the reader says so
    for name, field, odd in _odd(case, ITEM):
        spec: ResourceSpec = field.value
        yield Hit(
            field.element, f"{name}: {odd[0].text!r:.40} in {spec.text!r:.80} is one amount too many",
            _read_as(case, spec), f"write {as_text(case, spec.at(case.types.zero()))} "
            "(Hadoop 3.3 and later refuse the file)", WARNING,
        )  # fmt: skip


@FAMILY.told("FS311", ERROR)
def resource_overflow_32bit() -> None:
    """A number of the form with mb and vcores has more than 32 bits.

    When: mb or vcores are above 2147483647.
    Effect: the file is not loaded.
    Write: from 3.2 on memory-mb=3000000000, vcores=2, which takes 64 bits of memory.
    Versions: all
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>3000000000 mb, 2 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=3000000000, vcores=2</maxResources></queue>
    """


@FAMILY.rule("FS312", ERROR)
def new_style_without_vcores(case: Case) -> Iterator[Hit]:
    """A limit written name by name leaves vcores out, and that does not mean any number of them.

    When: an upper limit of the form name=value, not in percent, does not name vcores.
    Effect: the missing vcores become -1: as a maximum 0 vcores, so that every application is rejected, or, below a
        parent, waits for ever; as maxContainerAllocation no request is small enough.
    Write: vcores as well; vcores=2147483647 sets no bound.
    Versions: 3.2 and later
    Source: ResourceUtils, Resources.createResourceWithSameValue
    Bad: <queue name="a"><maxResources>memory-mb=4096</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=4096, vcores=2147483647</maxResources></queue>
    """
    for key, tag, field in limits(case, *CAPS):
        spec: ResourceSpec = field.value
        if form(case, spec) == NAMED and spec.fractions is None and not _names(spec, VCORES):
            effect = "the maximum is 0 vcores: every application is rejected"
            if tag == "maxResources" and _parent(case, key):
                effect = "the maximum is 0 vcores: no container fits, and applications wait for ever"
            if tag == "maxContainerAllocation":
                effect = "the bound is -1 vcores: every request is refused"
            yield Hit(
                field.element, f"{named(key, tag)}: {spec.text!r:.80} does not name vcores, which become -1",
                effect, f"write {spec.text:.80}, vcores={INT_MAX} for any number of vcores",
            )  # fmt: skip


def _parent(case: Case, key: str) -> bool:
    """Tells whether a queue is root or a parent, as far as it can be told: of a file that loads."""
    if key == "root" or not case.loads:
        return key == "root"
    queue = case.tree.queues.get(key)
    return queue is not None and not queue.leaf


def _names(spec: ResourceSpec, name: str) -> bool:
    return any(known == name for known, _ in pairs(spec.text))


@FAMILY.rule("FS313", INFO)
def new_style_without_memory(case: Case) -> Iterator[Hit]:
    """An amount written name by name leaves memory out.

    When: a text of the form name=value, not in percent, names vcores and not memory-mb.
    Effect: as an upper limit memory has no bound; as minResources it is 0, and under the policy fair that is nothing.
    Write: memory-mb as well, if it is meant to be bounded.
    Versions: 3.2 and later
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>vcores=8</maxResources></queue>
    Good: <queue name="a"><maxResources>vcores=8, memory-mb=32768</maxResources></queue>
    """
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if form(case, spec) != NAMED or spec.fractions is not None or _names(spec, MEMORY):
            continue
        least = tag == "minResources"
        if least or _names(spec, VCORES):  # without vcores nothing runs: FS312
            yield Hit(
                field.element, f"{named(key, tag)}: {spec.text!r:.80} does not name memory-mb",
                "the minimum of memory is 0" if least else "memory has no bound",
                f"write {spec.text:.80}, memory-mb=NUMBER if it is to have one",
            )  # fmt: skip


@FAMILY.told("FS314", ERROR)
def new_style_unknown_name() -> None:
    """A text written name by name has a name that is no resource type.

    When: a name is not memory-mb, vcores or one of yarn.resource-types; case counts.
    Effect: the file is not loaded.
    Write: memory-mb and vcores; other types as yarn.resource-types spells them.
    Versions: 3.2 and later
    Source: YARN-7556
    Bad: <queue name="a"><maxResources>memory=4096, vcores=4</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=4096, vcores=4</maxResources></queue>
    """


@FAMILY.told("FS315", ERROR)
def new_style_with_unit() -> None:
    """A value of the form name=value has a unit.

    When: letters follow the number of a name.
    Effect: the file is not loaded.
    Write: whole numbers, memory-mb in MB.
    Versions: 3.2 and later
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>memory-mb=4g, vcores=4</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=4096, vcores=4</maxResources></queue>
    """


@FAMILY.told("FS316", ERROR)
def new_style_mixed_percent() -> None:
    """Some values are percentages and some are not.

    When: a text of the form name=value has a percent sign and a value without one.
    Effect: the file is not loaded.
    Write: either percentages or amounts.
    Versions: 3.2 and later
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>memory-mb=50%, vcores=4</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=50%, vcores=50%</maxResources></queue>
    """


@FAMILY.rule("FS317", WARNING)
def new_style_duplicate_key(case: Case) -> Iterator[Hit]:
    """A resource type is named twice in one text.

    When: a text of the form name=value has a name more than once.
    Effect: the last value counts.
    Write: each name once.
    Versions: 3.2 and later
    Source: FairSchedulerConfiguration.parseResourceConfigValue
    Bad: <queue name="a"><maxResources>memory-mb=1, memory-mb=2, vcores=1</maxResources></queue>
    Good: <queue name="a"><maxResources>memory-mb=2, vcores=1</maxResources></queue>
    """
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if form(case, spec) != NAMED:
            continue
        values = pairs(spec.text)
        kept = dict(values)
        if len(kept) < len(values):
            twice = next(name for name in kept if sum(one == name for one, _ in values) > 1)
            yield Hit(
                field.element, f"{named(key, tag)}: {spec.text!r:.80} names {twice} more than once",
                f"the last value counts: {twice}={kept[twice]}",
                "write " + ", ".join(f"{name}={value}" for name, value in kept.items()),
            )  # fmt: skip


@FAMILY.rule("FS318", ERROR)
def new_style_unsupported(case: Case) -> Iterator[Hit]:
    """The form name=value is younger than this version.

    When: a resource text has an equals sign and the version is older than 3.2.
    Effect: the file is not loaded. Only one name with a percentage is taken, by 2.9 to 3.1, and that percentage then
        counts for memory and vcores alike.
    Write: 1024 mb, 1 vcores.
    Versions: 2.6 to 3.1
    Source: YARN-7556
    Bad: <queue name="a"><maxResources>memory-mb=1024, vcores=1</maxResources></queue>
    Given: --hadoop 3.1
    Good: <queue name="a"><maxResources>1024 mb, 1 vcores</maxResources></queue>
    Given: --hadoop 3.1
    """
    if case.profile.features.name_value_resources:
        return
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if spec.fractions is not None and "=" in spec.text:
            part = f"{spec.fractions[0] * 100:g}%"
            yield Hit(
                field.element, f"{named(key, tag)}: {spec.text!r:.80} is a form of Hadoop 3.2",
                f"the name is passed over: {part} of memory and of vcores",
                f"write {part} memory, 100% cpu (or the other way round)", WARNING,
            )  # fmt: skip


@FAMILY.told("FS319", ERROR)
def percent_unsupported() -> None:
    """Percentages are younger than this version.

    When: a resource text has a percent sign and the version is older than 2.9.
    Effect: the file is not loaded.
    Write: amounts: 51200 mb, 50 vcores.
    Versions: 2.6 to 2.8
    Source: YARN-2162
    Bad: <queue name="a"><maxResources>50%</maxResources></queue>
    Given: --hadoop 2.8
    Good: <queue name="a"><maxResources>51200 mb, 50 vcores</maxResources></queue>
    Given: --hadoop 2.8
    """


@FAMILY.rule("FS320", WARNING)
def percent_min_ignored(case: Case) -> Iterator[Hit]:
    """A minimum in percent is no minimum.

    When: minResources is a percentage.
    Effect: it is taken without a word and kept as nothing: the minimum is 0.
    Write: an amount: 10240 mb, 10 vcores.
    Versions: 2.9 and later
    Source: AllocationConfiguration, ConfigurableResource
    Bad: <queue name="a"><minResources>10%</minResources></queue>
    Good: <queue name="a"><minResources>10240 mb, 10 vcores</minResources></queue>
    """
    yield from _percent_ignored(case, "minResources", "the minimum is 0")


def _percent_ignored(case: Case, tag: str, effect: str) -> Iterator[Hit]:
    for key, _, field in case.fields(tag):
        spec: ResourceSpec = field.value
        if spec.fractions is not None:
            hint = "write an amount such as 10240 mb, 10 vcores"
            if case.cluster is not None:
                hint = f"write {as_text(case, spec.at(case.size))}, which it is of this cluster"
            yield Hit(field.element, f"{named(key, tag)} is {spec.text!r:.80}", effect, hint)


@FAMILY.rule("FS321", WARNING)
def percent_container_allocation_ignored(case: Case) -> Iterator[Hit]:
    """The largest container in percent is not looked at.

    When: maxContainerAllocation is a percentage.
    Effect: it is taken without a word and kept as nothing: the bound of the queue above applies, or that of yarn-site.
    Write: an amount: 8192 mb, 8 vcores.
    Versions: 3.2 and later
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><maxContainerAllocation>10%</maxContainerAllocation></queue>
    Good: <queue name="a"><maxContainerAllocation>8192 mb, 8 vcores</maxContainerAllocation></queue>
    """
    yield from _percent_ignored(case, "maxContainerAllocation", "not in force: the bound from above applies")


@FAMILY.rule("FS322", WARNING)
def percent_two_terms_zero_custom(case: Case) -> Iterator[Hit]:
    """A percentage that speaks of memory and cpu leaves nothing of other resource types.

    When: there are custom resource types, and a maximum is written as two percentages; from 2.10 to 3.1 also as one.
    Effect: the maximum of every custom type is 0: what asks for one is rejected, or waits for ever.
    Write: from 3.2 on one percentage for all types, or each by name: memory-mb=50%, vcores=50%, where types that are
        left out have 100%.
    Versions: 2.10, 3.0 and later
    Source: FairSchedulerConfiguration, ConfigurableResource
    Bad: <queue name="a"><maxResources>50% memory, 50% cpu</maxResources></queue>
    Given: -D yarn.resource-types=gpu
    Good: <queue name="a"><maxResources>memory-mb=50%, vcores=50%</maxResources></queue>
    Given: -D yarn.resource-types=gpu
    """
    if not case.types.custom:
        return
    by_name = case.profile.features.name_value_resources
    for key, tag, field in limits(case, *MAXIMA):
        spec: ResourceSpec = field.value
        if spec.fractions is None or form(case, spec) == NAMED or any(spec.fractions[2:]) or not any(spec.fractions):
            continue
        memory, vcores = (f"{part * 100:g}%" for part in spec.fractions[:2])
        hint = f"write memory-mb={memory}, vcores={vcores}" if by_name else "this version has no form for other types"
        yield Hit(
            field.element, f"{named(key, tag)}: {spec.text!r:.80} gives no {listed(case.types.custom)}",
            f"the maximum of {listed(case.types.custom)} is 0", hint,
        )  # fmt: skip


@FAMILY.rule("FS323", WARNING)
def old_style_zero_custom(case: Case) -> Iterator[Hit]:
    """A limit in mb and vcores leaves nothing of other resource types.

    When: there are custom resource types, and an upper limit is written with mb and vcores.
    Effect: the limit of every custom type is 0: what asks for one is rejected, or waits for ever.
    Write: from 3.2 on name by name: memory-mb=4096, vcores=4, gpu=2; custom types that are left out have no bound.
    Versions: 2.10, 3.0 and later
    Source: FairSchedulerConfiguration
    Bad: <queue name="a"><maxResources>4096 mb, 4 vcores</maxResources></queue>
    Given: -D yarn.resource-types=gpu
    Good: <queue name="a"><maxResources>memory-mb=4096, vcores=4, gpu=2</maxResources></queue>
    Given: -D yarn.resource-types=gpu
    """
    custom = case.types.custom
    if not custom:
        return
    by_name = case.profile.features.name_value_resources
    for key, tag, field in limits(case, *CAPS):
        spec: ResourceSpec = field.value
        if spec.amount is None or form(case, spec) != ABSOLUTE or not any(spec.amount):
            continue
        hint = f"write memory-mb={spec.amount[0]}, vcores={spec.amount[1]}"
        yield Hit(
            field.element, f"{named(key, tag)}: {spec.text!r:.80} gives no {listed(custom)}",
            f"the limit of {listed(custom)} is 0",
            f"{hint} for any number of {listed(custom)}" if by_name else "this version has no form for other types",
        )  # fmt: skip


@FAMILY.rule("FS324", WARNING)
def percent_over_100(case: Case) -> Iterator[Hit]:
    """A limit is more than the whole cluster.

    When: a maximum is written with a percentage above 100.
    Effect: it is taken as written: the limit lies above the cluster and holds nothing back.
    Write: 100% at most, or leave the element out.
    Versions: 2.9 and later
    Source: FairSchedulerConfiguration, ConfigurableResource
    Bad: <queue name="a"><maxResources>150%</maxResources></queue>
    Good: <queue name="a"><maxResources>100%</maxResources></queue>
    """
    for key, tag, field in limits(case, *MAXIMA):
        spec: ResourceSpec = field.value
        if spec.fractions is not None and max(spec.fractions) > 1:
            yield Hit(
                field.element, f"{named(key, tag)} is {spec.text!r:.80}",
                "taken as written: above the whole cluster, so it holds nothing back",
                "write 100% at most, or leave the element out",
            )  # fmt: skip


@FAMILY.rule("FS325", ERROR)
def percent_with_one_word(case: Case) -> Iterator[Hit]:
    """A single percentage has words around it.

    When: a text with a percent sign and without a comma is more than a number and the sign.
    Effect: from 3.3 on the file is not loaded. Before, its first percentage counts for all types.
    Write: 50%, or both: 50% memory, 30% cpu.
    Versions: 3.3 and later refuse it; 2.9 to 3.2: a warning
    Source: YARN-7291
    Bad: <queue name="a"><maxResources>50% memory 30% cpu</maxResources></queue>
    Good: <queue name="a"><maxResources>50% memory, 30% cpu</maxResources></queue>
    """
    if case.profile.features.strict_resources:
        return  # the reader says so
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if spec.fractions is None or form(case, spec) == NAMED or "=" in spec.text:
            continue
        pieces = spec.text.rstrip(",").split(",")
        if len(pieces) > 1 or _PERCENTAGE.fullmatch(pieces[0]):
            continue
        part = f"{spec.fractions[0] * 100:g}%"
        yield Hit(
            field.element, f"{named(key, tag)}: {spec.text!r:.80} has more than one percentage in it",
            f"{part} of every type; the rest is passed over",
            f"write {part}, or 50% memory, 30% cpu with a comma (Hadoop 3.3 and later refuse the file)", WARNING,
        )  # fmt: skip


@FAMILY.told("FS326", ERROR)
def percent_wrong_word() -> None:
    """Two percentages have other words than memory and cpu.

    When: a text of several percentages does not have both words.
    Effect: the file is not loaded.
    Write: 50% memory, 30% cpu.
    Versions: 2.9 and later
    Source: FairSchedulerConfiguration.findPercentage
    Bad: <queue name="a"><maxResources>50% memory, 30% vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>50% memory, 30% cpu</maxResources></queue>
    """


@FAMILY.told("FS327", ERROR)
def percent_mixed_absolute() -> None:
    """A text mixes a percentage and an amount.

    When: one part has a percent sign and another has none.
    Effect: the file is not loaded.
    Write: two percentages, or two amounts.
    Versions: 2.9 and later
    Source: TestFairSchedulerConfiguration
    Bad: <queue name="a"><maxResources>50% memory, 4 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>50% memory, 50% cpu</maxResources></queue>
    """


@FAMILY.rule("FS328", WARNING)
def percent_extra_piece(case: Case) -> Iterator[Hit]:
    """A third percentage is passed over.

    When: a text of the form with memory and cpu has a further part.
    Effect: that part is not read, and the resource type that it names has 0%.
    Write: from 3.2 on name by name: memory-mb=50%, vcores=30%, gpu=10%.
    Versions: 2.9 and later
    Source: FairSchedulerConfiguration.findPercentage
    Bad: <queue name="a"><maxResources>50% memory, 30% cpu, 10% gpu</maxResources></queue>
    Good: <queue name="a"><maxResources>50% memory, 30% cpu</maxResources></queue>
    """
    for key, tag, field in limits(case, *ALL):
        spec: ResourceSpec = field.value
        if spec.fractions is None or form(case, spec) == NAMED:
            continue
        pieces = [piece for piece in spec.text.split(",") if trim(piece)]
        if len(pieces) > 2:
            memory, vcores = (f"{part * 100:g}%" for part in spec.fractions[:2])
            hint = f"write {memory} memory, {vcores} cpu"
            if case.profile.features.name_value_resources:
                hint += f", or memory-mb={memory}, vcores={vcores} and further types by their names"
            yield Hit(
                field.element, f"{named(key, tag)}: {spec.text!r:.80} has {len(pieces)} parts",
                f"only {memory} of memory and {vcores} of vcores are read", hint,
            )  # fmt: skip


@FAMILY.told("FS329", ERROR)
def case_or_blanks_unsupported() -> None:
    """Upper case or several blanks before a unit are younger than this version.

    When: a unit has capitals, or more than one blank before it, and the version is 2.6.
    Effect: the file is not loaded.
    Write: lower case and one blank: 1024 mb, 2 vcores.
    Versions: 2.6
    Source: YARN-2742
    Bad: <queue name="a"><maxResources>1024  MB, 2 vcores</maxResources></queue>
    Given: --hadoop 2.6
    Good: <queue name="a"><maxResources>1024 mb, 2 vcores</maxResources></queue>
    Given: --hadoop 2.6
    """


@FAMILY.rule("FS330", ERROR)
def zero_in_max(case: Case) -> Iterator[Hit]:
    """A maximum of 0 of one type keeps everything out.

    When: memory or vcores of an upper limit are 0, and minResources does not lift them (as it does from 2.9 on). Where
        both are 0, the queue was perhaps closed on purpose: then it is a warning.
    Effect: limits hold for every type, whatever the policy divides. From 3.2 on a leaf rejects applications; below a
        parent, and from 2.8 on in leaves, too, they wait for ever. In 2.6 and 2.7 so they do with 0 MB, as there is no
        room for a master; with 0 vcores one container at a time still runs.
    Write: vcores as well, even under the policy fair.
    Versions: 2.8 and later; 2.6 and 2.7: a warning, where memory is not 0
    Source: YARN-8248, FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>90000 mb, 0 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>90000 mb, 90 vcores</maxResources></queue>
    """
    features = case.profile.features
    for key, tag, field in limits(case, *MAXIMA):
        spec: ResourceSpec = field.value
        parts = spec.fractions if spec.amount is None else spec.amount
        assert parts is not None
        if parts[0] != 0 and parts[1] != 0:
            continue
        zero = [kind for kind in (0, 1) if parts[kind] == 0]
        if tag == "maxResources" and features.max_raised_to_min:
            least = case.raw.queues[key].fields.get("minResources")
            raised: Amount = () if least is None or least.value.amount is None else least.value.amount
            zero = [kind for kind in zero if not (raised and raised[kind] > 0)]  # FS803
        if not zero:
            continue
        closed = len(zero) == 2 and key not in ("", "root")
        effect = "no container fits: applications wait for ever"
        severity = WARNING if closed else ERROR
        if not features.queue_max_default and (0 not in zero or key == "root"):
            effect = "one container at a time: a limit is compared with what is used already"
            severity = WARNING
        elif not features.queue_max_default:
            effect = "a share of 0, and no room for a master: applications wait for ever, unless maxAMShare is -1"
        elif features.zero_resource_rejected and (tag != "maxResources" or not _parent(case, key)):
            effect = "every application that asks for it is rejected, and one always does"
        nothing = listed([("MB", "vcores")[kind] for kind in zero])
        message = f"{named(key, tag)} is {spec.text!r:.80}: 0 {nothing}"
        yield Hit(field.element, message, effect, _instead(case, spec, zero), severity)


def _instead(case: Case, spec: ResourceSpec, zero: list[int]) -> str:
    if len(zero) == 2:
        return "write amounts, or leave the element out; a queue that is closed on purpose may keep it"
    if spec.amount is None:
        return "write a percentage of each type, or one for all: 50%"
    values = [INT_MAX if kind in zero else part for kind, part in enumerate(spec.amount)]
    return f"write {as_text(case, tuple(values))} for no bound there"
