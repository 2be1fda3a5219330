"""Both versions of a mended request are in the file, and cost what differs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import HEADER, make_exchange

from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Mended, Remedy, Request
from sigscope.session import Step
from sigscope.store import Redactor, SessionWriter, open_session
from sigscope.store.mends import decode_mended, encode_mended
from sigscope.store.models import StepHead

REMEDY = Remedy(
    rule="CPC-1", act="put back", count=1, at="/messages/1", words="9f3a21 of step 1"
)


def mended(came: bytes, sent: bytes, **headers: str) -> Exchange:
    made = make_exchange(sent)
    assert made.request is not None
    more = tuple(headers.items())
    asked = replace(
        made.request, body=Body(came), headers=(*made.request.headers, *more)
    )
    return replace(made, mended=Mended(request=asked, remedies=(REMEDY,)))


def written(tmp_path: Path, *exchanges: Exchange) -> Path:
    path = tmp_path / "a.session.jsonl"
    with SessionWriter.create(str(path), HEADER) as writer:
        for number, exchange in enumerate(exchanges, start=1):
            writer.append_step(Step(number=number, id=f"s{number}", exchange=exchange))
    return path


def test_both_versions_come_back_as_they_were(tmp_path: Path) -> None:
    came, sent = b'{"a": [1], "\xff": 2}', b'{"a": [1, "SIG"], "\xff": 2}'
    path = written(tmp_path, mended(came, sent), make_exchange(sent))
    first, second = open_session(str(path)).steps
    assert first.exchange.request is not None
    assert first.exchange.request.body.raw == sent
    assert first.exchange.mended is not None
    assert first.exchange.mended.request.body.raw == came
    assert first.exchange.mended.remedies == (REMEDY,)
    assert first.exchange == mended(came, sent)
    assert second.exchange.mended is None


def test_who_knows_nothing_of_it_reads_what_was_sent(tmp_path: Path) -> None:
    """Neither the body space nor the places of bodies in it are touched."""
    bodies = [json.dumps({"a": ["word"] * 99, "n": n}).encode() for n in range(3)]
    plain = written(tmp_path, *map(make_exchange, bodies)).read_bytes().splitlines()
    more = [mended(body.replace(b"word", b"w", 1), body) for body in bodies]
    other = tmp_path / "other"
    other.mkdir()
    lines = written(other, *more).read_bytes().splitlines()
    for one, two in zip(plain[1:], lines[1:], strict=True):
        told = json.loads(two)
        del told["exchange"]["mended"]
        before = json.loads(one)
        del told["sum"], before["sum"]
        assert told == before


def test_a_version_costs_what_it_differs_in(tmp_path: Path) -> None:
    sent = json.dumps([{"text": f"{n} " * 400, "sig": "S" * 60} for n in range(200)])
    came = json.dumps([{"text": f"{n} " * 400} for n in range(200)])
    exchange = mended(came.encode(), sent.encode())
    assert exchange.mended is not None
    told = json.dumps(encode_mended(exchange.mended, Body(sent.encode())))
    assert len(told) < len(came) / 10


def test_the_models_read_the_same(tmp_path: Path) -> None:
    line = written(tmp_path, mended(b"{}", b'{"a":1}')).read_bytes().splitlines()[1]
    head = StepHead.model_validate_json(line)
    assert head.exchange.mended is not None
    assert head.exchange.mended.remedies[0].act == "put back"
    found = decode_mended(head.exchange.mended.model_dump(), Body(b'{"a":1}'))
    assert found.request.body.raw == b"{}"
    assert found.remedies == (REMEDY,)


@pytest.mark.parametrize(
    "damage",
    [{"copies": [0, 99, 9]}, {"copies": [1]}, {"crc": "00000000"}, {"base64": "*"}],
    ids=str,
)
def test_damage_is_told_when_it_is_looked_at(damage: dict[str, Any]) -> None:
    exchange = mended(b'{"b":2}', b'{"a":1}')
    assert exchange.mended is not None
    told = encode_mended(exchange.mended, Body(b'{"a":1}')) | damage
    with pytest.raises(InputError):
        _ = decode_mended(told, Body(b'{"a":1}')).request.body.raw


def test_secrets_are_taken_out_of_both() -> None:
    key = "gho_" + "A1b2C3d4" * 5
    came = json.dumps({"note": f"my key is {key}"}).encode()
    exchange = mended(came, came[:-1] + b', "sig": 1}', Authorization=f"Bearer {key}")
    step, _ = Redactor().step(Step(number=1, id="s", exchange=exchange))
    assert step.exchange.mended is not None
    request = step.exchange.mended.request
    assert key.encode() not in request.body.raw
    assert key not in str(request.headers)
    assert len(request.body.raw) == len(came)


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_two_bodies_come_back(came: bytes, sent: bytes) -> None:
    request = Request(url="https://host/", body=Body(came))
    told = encode_mended(Mended(request=request, remedies=()), Body(sent))
    found = decode_mended(json.loads(json.dumps(told)), Body(sent))
    assert found.request.body.raw == came
