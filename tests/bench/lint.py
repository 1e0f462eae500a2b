"""Times `fairsim lint` on a thousand files against yamllint on equally long YAML. See README.md.

Usage: python tests/bench/lint.py [--files N] [--queues N] [--rounds N] [--profile] [--json]
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from lxml import etree

ROOT = Path(__file__).resolve().parents[2]


def generated(folder: Path, files: int, queues: int) -> tuple[Path, Path]:
    """Returns two folders: allocation files of so many queues, and YAML files with the same values and length."""
    xml, yml = folder / "xml", folder / "yaml"
    xml.mkdir()
    yml.mkdir()
    for number in range(files):
        generate = [sys.executable, str(ROOT / "sample-configs/generate.py"), "--queues", str(queues)]
        data = subprocess.run([*generate, "--seed", str(number)], capture_output=True, check=True).stdout
        (xml / f"fair-scheduler-{number}.xml").write_bytes(data)
        (yml / f"fair-scheduler-{number}.yaml").write_text(as_long(data), encoding="utf-8")
    return xml, yml


def as_long(data: bytes) -> str:
    """Returns YAML with the values of an allocation file, again and again until it is as long."""
    entries = [
        yaml.safe_dump([{"name": queue.get("name"), **dict(values(queue))}], sort_keys=False, indent=2)
        for queue in etree.fromstring(data).iter("queue")
    ]
    text, number = "---\n", 0
    while len(text) < len(data):
        text += entries[number % len(entries)]
        number += 1
    return text


def values(queue: etree._Element) -> Iterator[tuple[str, str]]:
    """Yields the values of one queue."""
    return ((str(child.tag), child.text or "") for child in queue if child.tag != "queue")


def seconds(*command: str) -> tuple[float, int]:
    """Returns the processor time in s, and the peak memory in MiB."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, env=environ)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: something was found
        raise SystemExit(f"{command} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def size(folder: Path) -> int:
    """Returns the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.iterdir())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--queues", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="show where a run spends its time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        xml, yml = generated(Path(name), options.files, options.queues)
        lint = ["-m", "fairsim", "lint", str(xml), "--format", "json"]
        if options.profile:
            command = [sys.executable, "-m", "cProfile", "-s", "tottime", *lint, "--output", os.devnull]
            subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
            return 0
        rival = importlib.util.find_spec("yamllint") is not None
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(seconds(*lint))
            if rival:
                theirs.append(seconds("-m", "yamllint", str(yml)))
        report = {
            "files": options.files, "xml_bytes": size(xml), "yaml_bytes": size(yml),
            "files_per_s": options.files / min(took for took, _ in ours), "peak_mib": ours[-1][1],
            "yamllint_over_fairsim": statistics.median(
                other / own for (own, _), (other, _) in zip(ours, theirs, strict=True)
            ) if rival else None,
        }  # fmt: skip
    if options.json:
        print(json.dumps(report, indent=1))
        return 0
    print(f"{options.files} files, {report['xml_bytes']} bytes of XML, {report['yaml_bytes']} of YAML")
    print(f"fairsim lint: {report['files_per_s']:.0f} files a second, peak {report['peak_mib']} MiB")
    if rival:
        print(f"yamllint takes {report['yamllint_over_fairsim']:.1f} times as long")
    else:
        print("yamllint is not installed here (pip install yamllint): not compared")
    return 0


if __name__ == "__main__":
    sys.exit(main())
