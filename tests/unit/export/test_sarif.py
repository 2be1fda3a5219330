"""SARIF, held against models that were generated from the standard's schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError
from tests.unit.export.checked_samples import CHECKED

from sigscope.export.checked import CheckedFile
from sigscope.export.sarif import KEY, sarif_log


def held(data: str | bytes) -> None:
    """Against the schema, whose models take longer to import than most of what a
    worker collects."""
    from pydantic_sarif import model

    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(data)


def run_of(*files: CheckedFile) -> Any:
    data = sarif_log(files, version="0.1.0")
    held(data)
    (run,) = json.loads(data)["runs"]
    return run


def test_it_is_valid_by_the_schema_of_the_standard() -> None:
    run = run_of(CHECKED)
    assert run["tool"]["driver"]["name"] == "sigscope"


def test_the_schema_refuses_what_is_not_valid() -> None:
    log = json.loads(sarif_log([CHECKED], version="0.1.0"))
    log["runs"][0]["results"][0]["levle"] = "error"
    with pytest.raises(ValidationError):
        held(json.dumps(log))


def test_each_finding_is_a_result_with_rule_place_and_fingerprint() -> None:
    run = run_of(CHECKED)
    rows = {row["ruleId"]: row for row in run["results"]}
    assert [rows[r]["level"] for r in ("CPC-1", "CPC-2")] == ["error", "warning"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[row["ruleIndex"]]["id"] == name for name, row in rows.items())
    assert rows["CPC-1"]["partialFingerprints"] == {KEY: "aa"}
    (place,) = rows["CPC-1"]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == (
        "recorded/a%20b.session.jsonl"
    )
    (member,) = place["logicalLocations"]
    assert member["fullyQualifiedName"] == "step 2, request /messages/1"


def test_what_is_left_out_is_suppressed_not_hidden() -> None:
    rows = {row["ruleId"]: row for row in run_of(CHECKED)["results"]}
    assert [name for name in rows if "suppressions" in rows[name]] == ["GEM-1"]


def test_what_is_not_known_is_told() -> None:
    (invocation,) = run_of(CHECKED)["invocations"]
    said = [n["message"]["text"] for n in invocation["toolExecutionNotifications"]]
    assert said == ["nobody knows what it speaks", "no request came"]


def test_a_check_of_nothing_is_valid_too() -> None:
    assert run_of()["results"] == []


def test_an_absolute_path_is_a_file_url() -> None:
    run = run_of(replace(CHECKED, name="/tmp/x y.har"))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:///tmp/x%20y.har"
