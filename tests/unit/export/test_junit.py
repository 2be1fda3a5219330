"""JUnit XML: a suite for each file, a case for each step."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.unit.export.checked_samples import CHECKED

from sigscope.export.junit import junit_report


def cases() -> dict[str, ET.Element]:
    root = ET.fromstring(junit_report([CHECKED]))
    return {case.get("name", ""): case for case in root.iter("testcase")}


def test_a_step_with_a_finding_that_counts_has_failed() -> None:
    failure = cases()["step 2 POST /two"].find("failure")
    assert failure is not None
    assert failure.get("type") == "CPC-1"
    assert "step 2, request /messages/1" in (failure.text or "")


def test_others_are_told_and_fail_nothing() -> None:
    case = cases()["step 1 POST /one"]
    assert case.find("failure") is None
    assert "odd: a, b" in (case.findtext("system-out") or "")


def test_what_was_left_out_fails_nothing() -> None:
    assert list(cases()["step 3 POST /three"]) == []


def test_a_step_that_is_not_judged_is_skipped_and_nothing_shown_is_an_error() -> None:
    assert cases()["step 4 GET /four"].find("skipped") is not None
    assert cases()["something is shown"].find("error") is not None


def test_the_counts_are_those_of_the_cases() -> None:
    root = ET.fromstring(junit_report([CHECKED, CHECKED]))
    counts = [root.get(n) for n in ("tests", "failures", "skipped", "errors")]
    assert counts == ["10", "2", "2", "2"]


def test_recorded_text_that_xml_or_the_eye_has_nothing_for_is_spelled_out() -> None:
    odd = "a\u202eb\u200b\x9b2J\U000e0041\x00\ud800\uffff c\u00e9"
    (lost,) = CHECKED.against
    file = replace(CHECKED, against=(replace(lost, message=odd),), steps={2: odd})
    root = ET.fromstring(junit_report([file]))
    told = r"a\u202eb\u200b\x9b2J\U000e0041\x00\ud800\uffff c" + "\u00e9"
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == f"CPC-1: {told}"
    assert (failure.text or "").startswith(told)
    assert root.find(f".//testcase[@name='step 2 {told}']") is not None
