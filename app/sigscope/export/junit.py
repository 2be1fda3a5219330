"""A check as JUnit XML, which build servers read: a suite for each file, a case for
each step.

A step with findings that count has failed; one that was not judged is skipped, for
nothing is known of it. What to know of the recording stands behind the cases. Source:
the schema of Apache Ant's JUnit task, as Jenkins and GitLab read it (docs.gitlab.com,
Unit test reports).
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from sigscope.characters import printable
from sigscope.export.checked import CheckedFile, told


def junit_report(files: Sequence[CheckedFile]) -> bytes:
    """The document; no times, for they would be another's."""
    root = ET.Element("testsuites", name="sigscope")
    for file in files:
        _suite(root, file)
    for name in ("tests", "failures", "skipped", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _suite(root: ET.Element, file: CheckedFile) -> None:
    suite = ET.SubElement(root, "testsuite", name=_fit(file.name))
    failures = skipped = errors = 0
    for step, label in file.steps.items():
        name = _fit(f"step {step} {label}".rstrip())
        case = ET.SubElement(suite, "testcase", name=name, classname=_fit(file.name))
        against = [finding for finding in file.against if finding.step == step]
        for finding in against:
            failure = ET.SubElement(case, "failure", type=finding.rule)
            failure.set("message", _fit(f"{finding.rule}: {finding.message}"))
            failure.text = _fit(told(finding))
        if against:
            failures += 1
        elif step in file.not_judged:
            skipped += 1
            ET.SubElement(case, "skipped", message=_fit(file.not_judged[step]))
        others = [finding for finding in file.others if finding.step == step]
        if others:
            out = ET.SubElement(case, "system-out")
            out.text = _fit("\n\n".join(f"{f.severity} {told(f)}" for f in others))
    for doubt in file.doubts:
        errors += 1
        case = ET.SubElement(suite, "testcase", classname=_fit(file.name))
        case.set("name", "something is shown")
        ET.SubElement(case, "error", message=_fit(doubt), type="nothing-shown")
    suite.set("tests", str(len(suite)))
    if file.remarks:
        out = ET.SubElement(suite, "system-out")
        out.text = _fit("\n".join(f"read with a remark: {r}" for r in file.remarks))
    suite.set("failures", str(failures))
    suite.set("skipped", str(skipped))
    suite.set("errors", str(errors))


def _fit(text: str) -> str:
    """What XML 1.0 has no way to write is spelled out, as is what the eye does not see:
    build servers show this to people, in pages and in logs."""
    return printable(text, "\n\t")
