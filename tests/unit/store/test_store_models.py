"""The models, and the schema that is published from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.unit.store.samples import lines, make_note, make_run, make_step, write

from sigscope.store import schema
from sigscope.store.models import (
    NoteLine,
    RunLine,
    StepHead,
    StepLine,
    StoredHeader,
    StoredResponseHead,
)


def test_the_schema_is_json_and_names_every_line_type() -> None:
    text = json.dumps(schema())
    published: dict[str, Any] = json.loads(text)
    assert published["$schema"].endswith("2020-12/schema")
    names = [ref["$ref"].rsplit("/")[-1] for ref in published["anyOf"]]
    assert names == [
        "StoredHeader",
        "StepLine",
        "RunLine",
        "NoteLine",
        "AboutLine",
        "SpokenLine",
    ]
    assert set(names) <= set(published["$defs"])


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    published = schema()
    text = json.dumps(published)
    for part in text.split('"#/$defs/')[1:]:
        assert part.partition('"')[0] in published["$defs"]


def test_the_schema_explains_the_fields_that_need_it() -> None:
    place = schema()["$defs"]["BodyPlace"]["properties"]
    assert "body space" in place["at"]["description"]


def test_what_is_written_fits_the_models_without_anything_unknown(
    tmp_path: Path,
) -> None:
    records = make_step(response=b"\xff{}"), make_run(), make_note(1)
    written = lines(write(tmp_path / "a.session.jsonl", *records))
    for line, model in zip(
        written, (StoredHeader, StepLine, RunLine, NoteLine), strict=True
    ):
        strict = type(f"Strict{model.__name__}", (model,), {}, extra="forbid")
        strict.model_validate_json(line)
        told = model.model_validate_json(line).model_dump(
            mode="json", exclude_unset=True
        )
        assert told == json.loads(line)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": 0}, "number"),
        ({"number": "1"}, "number"),
        ({"id": None}, "id"),
        ({"exchange": {"request": {"url": 4}}}, "exchange.request.url"),
        ({"exchange": {"request": {"headers": [["a"]]}}}, "exchange.request.headers"),
        ({"exchange": {"request": {"body": {"at": -1, "size": 1}}}}, "body.at"),
        ({"exchange": {"response": {"status": "200"}}}, "exchange.response.status"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], field: str) -> None:
    line = {"type": "step", "number": 1, "id": "x", "exchange": {}} | change
    with pytest.raises(ValidationError) as caught:
        StepHead.model_validate_json(json.dumps(line))
    assert field in ".".join(str(part) for part in caught.value.errors()[0]["loc"])


def test_values_of_a_newer_version_are_not_fatal() -> None:
    head = StoredResponseHead.model_validate_json(
        '{"framing":"telepathy","ending":"cosmic","news":{"a":1},"status":200}'
    )
    assert (head.framing, head.ending, head.status) == (None, "unknown", 200)
    with pytest.raises(ValidationError):
        StoredResponseHead.model_validate_json('{"framing":3}')
