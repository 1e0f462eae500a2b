"""Files that are something else than an allocation file are named as what they are."""

from __future__ import annotations

import gzip

import pytest

from fairsim.config.recognise import Recognised, recognise
from fairsim.diag import Pos
from fairsim.xmlio.reader import XmlRefused, read_document

QUEUE = '<allocations>\n <queue name="a">{}</queue>\n</allocations>'


def look(data: str | bytes) -> Recognised | None:
    raw = data.encode() if isinstance(data, str) else data
    try:
        document = read_document(raw, secure=True)
    except XmlRefused:
        document = None
    return recognise(raw, document)


MR1 = """<?xml version="1.0"?>
<!-- <minMaps>1</minMaps> -->
<allocations>
  <pool name="etl">
    <minMaps>4</minMaps>
    <maxReduces>9</maxReduces>
    <maxRunningJobs>3</maxRunningJobs>
  </pool>
  <userMaxJobsDefault>2</userMaxJobsDefault>
</allocations>
"""
SPARK = """<allocations>
  <pool name="interactive">
    <schedulingMode>FAIR</schedulingMode>
    <weight>3</weight>
    <minShare>6</minShare>
  </pool>
</allocations>
"""
SITE = """<configuration>
  <property><name>yarn.resourcemanager.scheduler.class</name><value>${x.y}.FairScheduler</value></property>
</configuration>
"""
CAPACITY = """<configuration>
  <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>
</configuration>
"""
MIXED = """<allocations>
  <queue name="a"/>
  <property><name>yarn.scheduler.fair.preemption</name><value>true</value></property>
</allocations>
"""

CASES: list[tuple[str | bytes, str, tuple[int, int]]] = [
    ("", "empty", (1, 1)),
    (" \n\t", "empty", (1, 1)),
    (gzip.compress(b"<allocations/>", mtime=0), "compressed", (1, 1)),
    (b"PK\x03\x04rest", "compressed", (1, 1)),
    (b"\x7fELF\x02\x01\0\0 ${HOME} $UL", "binary", (1, 1)),
    (bytes(range(1, 32)) * 40 + b"$RY ", "binary", (1, 1)),
    (MR1, "mr1-pools", (5, 5)),
    (MR1.replace("</pool>", ""), "mr1-pools", (5, 5)),
    (SPARK, "spark-pools", (5, 5)),
    (SITE, "yarn-site", (1, 1)),
    (CAPACITY, "capacity-scheduler", (2, 19)),
    ("<configuration><property><name>fs.defaultFS</name></property></configuration>", "hadoop-configuration", (1, 1)),
    (MIXED, "yarn-site-properties", (3, 3)),
    (QUEUE.format("<userQueryLimit><user>*</user><totalCount>2</totalCount></userQueryLimit>"), "impala", (2, 18)),
    (QUEUE.format("<weight>{{ weight | default(1.0) }}</weight>"), "template-jinja", (2, 26)),
    (QUEUE.format("\n{% if x %}<weight>1</weight>{% endif %}"), "template-jinja", (3, 1)),
    (QUEUE.format("<weight>{{ .Values.weight }}</weight>"), "template-go", (2, 26)),
    (QUEUE.format("<weight>{{ range $i := .Queues }}</weight>"), "template-go", (2, 26)),
    (QUEUE.format("<weight><%= @weight %></weight>"), "template-erb", (2, 26)),
    (QUEUE.format("<weight>${WEIGHT}</weight>"), "template-shell", (2, 26)),
    (QUEUE.format("<minResources>$MEM mb,$CORES vcores</minResources>"), "template-shell", (2, 32)),
    (QUEUE.format("<weight>#{node['weight']}</weight>"), "template-ruby", (2, 26)),
    (QUEUE.format("<weight>@WEIGHT@</weight>"), "template-at", (2, 26)),
    (QUEUE.format("<maxResources>@queue.max@</maxResources>"), "template-at", (2, 32)),
    (QUEUE.format("<minResources>__MEM__ mb, 1 vcores</minResources>"), "template-marker", (2, 32)),
    (QUEUE.format("<weight> __W__</weight>"), "template-marker", (2, 27)),
    ('<!DOCTYPE html>\n<html lang="en"><body><p>404</body>', "html", (1, 1)),
    ("<!-- saved -->\n<html><head/></html>", "html", (2, 1)),
    ('{"allocations": {}}', "json", (1, 1)),
    ('[\n {"queue": 1}]', "json", (1, 1)),
    ("# queues\n---\nqueues:\n  - a\n", "yaml", (2, 1)),
    ("queues:\n  a: 1\n", "yaml", (1, 1)),
    ("yarn.scheduler.fair.preemption=true\n", "yaml", (1, 1)),
    (MR1.encode("utf-16"), "mr1-pools", (5, 5)),
    (b"\xef\xbb\xbf" + SPARK.encode(), "spark-pools", (5, 5)),
]


@pytest.mark.parametrize(("data", "kind", "place"), CASES)
def test_recognised(data: str | bytes, kind: str, place: tuple[int, int]) -> None:
    found = look(data)
    assert found is not None
    assert (found.kind, found.pos) == (kind, Pos(*place))
    assert found.message
    assert found.hint


@pytest.mark.parametrize(
    "data",
    [
        "<allocations/>",
        '<?xml version="1.0"?>\n<!-- {{ x }} ${Y} @Z@ <minMaps>1</minMaps> -->\n<allocations/>',
        QUEUE.format("<minMaps>1</minMaps><weight>1</weight>"),
        QUEUE.format("<aclSubmitApps>__x__,alice@EXAMPLE.COM,bob@EXAMPLE.COM ops$,dev@corp</aclSubmitApps>"),
        QUEUE.format("<aclSubmitApps>__SYSTEM__</aclSubmitApps>"),
        QUEUE.format("<maxResources>50% memory, 25% cpu</maxResources><schedulingMode>FAIR</schedulingMode>"),
        QUEUE.format("<weight>1</weight"),
        '<allocations><pool name="a"><schedulingMode>FAIR</schedulingMode></pool></allocations>',
        '<allocations><queue name="__a__"/><queue name="a$b"/><queue name="${"/></allocations>',
        "Note: taken from the test cluster\n<allocations>\n</allocations>",
        "hello",
        b"\xff\xfe\xff\xff",
    ],
)
def test_not_recognised(data: str | bytes) -> None:
    assert look(data) is None


PIECES = ["<!--", "{{", "{%", "${", "$A", "@a", "__A", "<name>", "#\n", " ", "_", "<?", "{", "a."]


@pytest.mark.parametrize("piece", PIECES)
def test_cheap_on_anything(piece: str) -> None:
    data = (piece * 60_000).encode()
    recognise(data, None)
    recognise(b"<a>" + data, None)
