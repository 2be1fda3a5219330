"""Stand-ins stand where the signatures stood, however they were spelt there."""

from __future__ import annotations

import base64
import json
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope import opaque
from sigscope.fingerprints import guess_origin
from sigscope.store.standins import StandIns

SEALED = bytes((n * 37 + 11) % 256 for n in range(180))
GEMINI = base64.b64encode(b"\x01\xbe\x3e\xf6\xfb" + SEALED).decode()
COPILOT = base64.b64encode(SEALED[::-1]).decode()
URL_SAFE = COPILOT.translate(str.maketrans("+/", "-_"))
BYPASS = "skip_thought_signature_validator"


def make(*signatures: str) -> StandIns:
    return StandIns(b"a session", signatures)


def replaced(text: str, *signatures: str) -> str:
    new = make(*signatures).replace(text.encode()).decode()
    assert len(new) == len(text)
    return new


def test_every_place_of_a_signature_gets_the_same_stand_in() -> None:
    stand_ins = make(COPILOT)
    new = stand_ins.stand_in(COPILOT)
    body = json.dumps({"a": COPILOT, "b": [{"c": COPILOT}], "d": "text"})
    assert json.loads(stand_ins.replace(body.encode())) == {
        "a": new,
        "b": [{"c": new}],
        "d": "text",
    }
    assert new != COPILOT
    assert len(new) == len(COPILOT)


def test_a_recoded_copy_stays_the_same_signature_recoded() -> None:
    stand_ins = make(COPILOT, URL_SAFE, URL_SAFE.rstrip("="))
    new = {text: stand_ins.stand_in(text) for text in (COPILOT, URL_SAFE)}
    assert re.search("[-_]", URL_SAFE)
    assert new[COPILOT] != new[URL_SAFE]
    assert opaque.comparison_key(new[COPILOT]) == opaque.comparison_key(new[URL_SAFE])
    assert stand_ins.stand_in(URL_SAFE.rstrip("=")) == new[URL_SAFE].rstrip("=")


def test_a_recoded_copy_need_not_be_told() -> None:
    new = replaced(f'"{URL_SAFE}"', COPILOT).strip('"')
    assert opaque.comparison_key(new) == opaque.comparison_key(
        make(COPILOT).stand_in(COPILOT)
    )


def test_bypass_values_stay() -> None:
    coded = base64.b64encode(BYPASS.encode()).decode()
    body = json.dumps({"thoughtSignature": BYPASS, "x": coded})
    assert replaced(body, BYPASS, coded, COPILOT) == body


@pytest.mark.parametrize(
    "around",
    [
        "call_7__thought__%s",
        "call_7__thought__%s__vscode-123",
        "%s...",
        "/v1/signatures/%s",
        'Base64 decoding failed for "%s"',
        "data:%s",
    ],
)
def test_what_stands_around_a_signature_stays(around: str) -> None:
    new = make(COPILOT).stand_in(COPILOT)
    body = json.dumps({"text": around % COPILOT})
    assert replaced(body, COPILOT) == json.dumps({"text": around % new})


@pytest.mark.parametrize(
    "listed", ["call_7__thought__%s", "%s...", "cpa-gemini-responses-carrier-v1:%s"]
)
def test_a_signature_may_be_told_with_what_stands_around_it(listed: str) -> None:
    new = make(COPILOT).stand_in(COPILOT)
    stand_ins = make(listed % COPILOT)
    assert stand_ins.stand_in(COPILOT) == new
    assert stand_ins.stand_in(listed % COPILOT) == listed % new


@pytest.mark.parametrize("nested", [False, True])
def test_escapes_in_json_stay_escapes(nested: bool) -> None:
    escaped = (
        COPILOT.replace("/", "\\/").replace("+", "\\u002b").replace("=", "\\u003d")
    )
    assert escaped != COPILOT
    body = f'{{"a":"\\n{escaped}","b":"x\\\\n"}}'
    value = json.loads(replaced(body, COPILOT))
    assert value == {"a": "\n" + make(COPILOT).stand_in(COPILOT), "b": "x\\n"}
    if nested:
        outer = json.dumps({"arguments": json.dumps({"signature": COPILOT})})
        inner = json.loads(json.loads(replaced(outer, COPILOT))["arguments"])
        assert inner == {"signature": make(COPILOT).stand_in(COPILOT)}


def test_base64_around_a_signature_is_put_around_the_stand_in() -> None:
    twice = base64.b64encode(COPILOT.encode()).decode()
    new = make(COPILOT).stand_in(COPILOT)
    for stand_ins in (make(COPILOT), make(COPILOT, twice)):
        assert stand_ins.stand_in(twice) == base64.b64encode(new.encode()).decode()


def test_a_cut_copy_is_cut_from_the_stand_in() -> None:
    new = make(COPILOT).stand_in(COPILOT)
    for size in (16, 17, 18, 40, len(COPILOT) - 5):
        assert replaced(f'"{COPILOT[:size]}"', COPILOT) == f'"{new[:size]}"'


@given(st.lists(st.integers(4, 90), min_size=1, max_size=12))
def test_pieces_of_a_stream_make_up_the_stand_in(sizes: list[int]) -> None:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(COPILOT[at : at + size])
        at += size
    pieces = [piece for piece in [*pieces, COPILOT[at:]] if len(piece) > 3]
    body = "".join(f'data: {{"delta":{{"signature":"{p}"}}}}\n\n' for p in pieces)
    new = replaced(body, COPILOT)
    found = "".join(re.findall('"signature":"([^"]*)"', new))
    joined = "".join(pieces)
    assert found == make(COPILOT).stand_in(COPILOT)[: len(joined)] or len(joined) < len(
        COPILOT
    )


def test_the_origin_hint_is_the_same() -> None:
    for text in (GEMINI, COPILOT):
        new = make(text).stand_in(text)
        assert guess_origin(new) == guess_origin(text)


def test_other_long_texts_stay() -> None:
    others = json.dumps(
        {
            "image": base64.b64encode(SEALED * 3).decode()[7:],
            "id": "call_MHxhYmNkZWZnaGlqa2xtbm9w",
            "uuid": "123e4567-e89b-12d3-a456-426614174000",
            "signature": "none",
            "name": "a_very_long_function_name_indeed",
        }
    )
    assert replaced(others, COPILOT, GEMINI) == others


def test_replacing_twice_is_replacing_once() -> None:
    stand_ins = make(COPILOT, GEMINI)
    once = stand_ins.replace(json.dumps([COPILOT, GEMINI, COPILOT[:50]]).encode())
    assert stand_ins.replace(once) == once


def test_a_long_run_costs_a_few_bytes_a_letter() -> None:
    text = b"a" * 200_000
    stand_ins = make("Zq9xWv7" * 20)
    tracemalloc.start()
    assert stand_ins.replace(text) == text
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(text)


def test_fingerprints_in_words_follow() -> None:
    stand_ins = make(COPILOT)
    old = opaque.fingerprint(COPILOT)
    new = opaque.fingerprint(stand_ins.stand_in(COPILOT))
    text = stand_ins.replace_text(f"restore {old} from step 1, not abcdef")
    assert text == f"restore {new} from step 1, not abcdef"
