"""What a signature tells of itself. Values are made up."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus import CORPUS, entries, needs_corpus

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.fingerprints import Hint, read_hints
from sigscope.fingerprints.forms import FINGERPRINTS
from sigscope.fingerprints.keys import KEYS
from sigscope.opaque import sha256
from sigscope.upstreams.simulator.mint.shapes import Form, dress

PAGE = Path(__file__).parents[3] / "docs" / "wire" / "fingerprints.md"
NEW_YEAR = 1_767_225_600
SEALED = bytes((7 * n + 3) % 251 for n in range(160))


def minted(form: Form, surface: str = "ai-studio") -> str:
    return dress(form, SEALED, surface, NEW_YEAR)


def told(text: str, carrier: str = "") -> dict[str, str]:
    return {hint.about: hint.value for hint in read_hints(text, carrier)}


def said(text: str, about: str) -> Hint:
    (found,) = [hint for hint in read_hints(text) if hint.about == about]
    return found


def rows() -> dict[str, list[str]]:
    """Cells of the page's tables by id."""
    found = {}
    for line in PAGE.read_text().splitlines():
        anchor = re.match(r'\| <a id="([^"]+)">', line)
        if anchor:
            found[anchor[1]] = [cell.strip() for cell in line.strip("|").split("|")]
    return found


def test_every_row_that_is_cited_stands_on_the_page_and_is_as_sure() -> None:
    page = rows()
    for one in FINGERPRINTS:
        assert page[one.row][-2] == one.confidence, one.row
    for key in KEYS.values():
        assert page[key.row][-2] == "inferred"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (minted("field-2"), {"origin": "google", "surface": "ai-studio"}),
        (minted("field-1", "vertex"), {"origin": "google", "surface": "vertex"}),
        (minted("bare", "vertex"), {"origin": "google", "surface": "vertex"}),
        (minted("fernet"), {"origin": "openai", "minted": "2026-01-01T00:00:00Z"}),
        (minted("claude"), {"origin": "anthropic"}),
        (
            minted("claude", "bedrock"),
            {"origin": "anthropic", "surface": "bedrock"},
        ),
        (minted("claude", "vertex"), {"origin": "anthropic", "surface": "vertex"}),
        (base64.b64encode(SEALED).decode(), {}),
        ("rsn_5" + "Zq9" * 20, {"origin": "openai", "surface": "bedrock"}),
        ("skip_thought_signature_validator", {"origin": "bypass"}),
        ("", {}),
        ("call_1", {}),
        ("encrypted_content_of_a_test", {}),
    ],
)
def test_a_form_tells_who_minted_it_and_nothing_tells_nothing(
    text: str, expected: dict[str, str]
) -> None:
    assert told(text) == expected


def test_a_carrier_tells_of_an_envelope_where_the_bytes_tell_nothing() -> None:
    text = base64.b64encode(SEALED).decode()
    assert told(text, "copilot.reasoning_opaque") == {"origin": "github"}
    bytes_tell = told(minted("fernet"), "copilot.reasoning_opaque")
    assert bytes_tell["origin"] == "openai"


def test_claude_in_base64_twice_is_seen_through() -> None:
    twice = base64.b64encode(minted("claude").encode()).decode()
    assert twice.startswith("R")
    assert told(twice) == {"origin": "anthropic"}


def test_newer_claudes_name_their_model() -> None:
    name = b"claude-made-up-4"
    channel = b"\x08\x0f\x18\x02" + bytes([6 << 3 | 2, len(name)]) + name
    block = b"\x0a" + bytes([len(channel)]) + channel + b"\x2a\x20" + SEALED[:32]
    data = b"\x12" + bytes([len(block)]) + block + b"\x18\x01"
    assert told(base64.b64encode(data).decode())["model"] == "claude-made-up-4"


@pytest.mark.parametrize("form", ["field-2", "field-1", "claude", "fernet"])
@pytest.mark.parametrize("kept", [100, 101, 103])
def test_what_was_cut_says_so_by_its_own_lengths(form: Form, kept: int) -> None:
    assert said(minted(form)[:kept], "cut").value == "cut"
    assert "cut" not in told(minted(form))
    assert "cut" not in told(minted(form).rstrip("="))


def test_an_ellipsis_is_a_cut() -> None:
    assert "ellipsis" in said(minted("field-2")[:100] + "…", "cut").says


def test_blanks_where_plus_stood_are_another_alphabet() -> None:
    data = b"\x12\x1e\x0a\x1c\x01" + bytes.fromhex("114d320f") + b"\xfb\xef\xbe" * 7
    text = base64.b64encode(data + b"\xfb\xef").decode()
    assert "+" in text
    blank = said(text.replace("+", " "), "alphabet")
    assert "form" in blank.says
    assert "cut" not in told(text.replace("+", " "))
    assert said(text.replace("+", "%2B"), "alphabet").source.endswith("#co-6")
    assert said(text.replace("+", "-"), "alphabet").value == "-_"
    assert "alphabet" not in told(text)


def test_a_line_break_is_named_with_its_place() -> None:
    text = minted("field-2")
    assert "'\\n' at 76" in said(text[:76] + "\n" + text[76:], "alphabet").says


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    read_hints(text)


@given(st.binary(max_size=300), st.sampled_from(["", "gAAAA", "Eg", "CA", "AY89a1"]))
def test_any_bytes_are_read(data: bytes, start: str) -> None:
    read_hints(start + base64.b64encode(data).decode(), "copilot.reasoning_opaque")


@given(st.binary(min_size=24, max_size=300))
def test_random_bytes_rarely_look_like_anybodys(data: bytes) -> None:
    """Only those with a known form may: no first byte alone suffices."""
    hints = read_hints(base64.b64encode(data).decode())
    if hints and data[:1] == b"\x01":
        assert data[1:5].hex() in KEYS


# --- Real signatures ----------------------------------------------------------------

VENDORS = {"gemini": "google", "claude": "anthropic", "gpt": "openai", "o4": "openai"}


@needs_corpus
def test_no_hint_contradicts_what_is_known_of_real_signatures() -> None:
    """Vendor against the model that answered, surface against the host, and no
    damage in what came straight from a service."""
    seen: set[str] = set()
    for entry in entries():
        exchanges = {one["x"]: one for one in entry["truth"]["exchanges"]}
        known = {row["sha256"]: row for row in entry["truth"].get("received", ())}
        document = Document(open_file(CORPUS / entry["file"]))
        found = [s for reading in document.readings for s in reading.received]
        for value, carrier in {(s.value, s.carrier) for s in found}:
            row = known.get(sha256(value))
            if row is not None:
                exchange = exchanges[row["x"]]
                _agree(read_hints(value, carrier), exchange, entry["file"])
                seen.update(hint.about for hint in read_hints(value, carrier))
    assert seen == {"origin", "surface", "model", "minted"}


def _agree(hints: tuple[Hint, ...], exchange: dict[str, str], file: str) -> None:
    said = {hint.about: hint.value for hint in hints}
    model = exchange.get("response_model") or exchange.get("request_model") or ""
    vendors = {of for name, of in VENDORS.items() if name in model.split("/")[-1]}
    if said.get("origin") == "github":
        assert exchange["provider"] == "copilot", file
    elif "origin" in said and vendors:
        assert said["origin"] in vendors, (file, model)
    host = exchange.get("host") or ""
    if said.get("surface") in ("ai-studio", "vertex") and "googleapis" in host:
        is_vertex = "aiplatform" in host
        assert said["surface"] == ("vertex" if is_vertex else "ai-studio"), file
    if "model" in said:
        assert model in said["model"] or said["model"] in model, file
    assert not {"cut", "alphabet"} & said.keys(), (file, hints)
