"""The table of fingerprints: a row a form, and who gives it to signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from sigscope.fingerprints.keys import KEYS
from sigscope.fingerprints.protobuf import read_message, read_varint
from sigscope.fingerprints.specimen import Specimen
from sigscope.opaque import decode, maybe_bypass
from sigscope.records import dataclass

Family = Literal["google", "claude", "openai", "bypass", "unknown"]
HowSure = Literal["documented", "observed", "reported", "inferred", "contested"]
"""As docs/wire/README.md has them."""

PAGE = "docs/wire/fingerprints.md"
LAST_SECOND = 4_102_444_800
"""Year 2100: a later minting time is not a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A row of "Origins": a form, and who gives it to signatures."""

    row: str
    family: Family
    maker: str
    """The company: "Google"; "bypass" where it is nobody's."""
    says: str
    confidence: HowSure
    fits: Callable[[Specimen], bool]
    surface: str = ""
    """Where the row itself names it; else the key id may."""

    @property
    def vendor(self) -> str:
        """The maker, for programs: in small letters."""
        return self.maker.lower()

    @property
    def source(self) -> str:
        return f"{PAGE}#{self.row}"


def _is_field_2(it: Specimen) -> bool:
    return it.data[:1] == b"\x12" and bool(it.payload)


def _is_tool_part(it: Specimen) -> bool:
    """Whether a number, call or result, stands before the payload."""
    fields = it.message.fields
    if not _is_field_2(it) or not fields:
        return False
    first = read_message(fields[0][1]).fields[:1]
    return first in (((1, b"\x01"),), ((1, b"\x02"),))


def _is_field_1(it: Specimen) -> bool:
    return it.data[:1] == b"\x0a" and bool(it.payload)


def _is_vertex_field_1(it: Specimen) -> bool:
    known = KEYS.get(it.key_id)
    return _is_field_1(it) and known is not None and known.surface == "vertex"


def _is_claude(it: Specimen) -> bool:
    if it.data[:1] != b"\x12" or it.payload or it.message.is_broken:
        return False
    numbers = {number for number, _ in it.message.fields}
    return {2, 3} <= numbers or (it.message.is_torn and bool(_torn_channel(it.data)))


def _torn_channel(data: bytes) -> bool:
    """Whether a message that ends too early begins with a whole channel block."""
    outer = read_varint(data, 1)
    if outer is None or data[outer[1] : outer[1] + 1] != b"\x0a":
        return False
    inner = read_varint(data, outer[1] + 1)
    if inner is None or len(data) < inner[0] + inner[1] or not inner[0]:
        return False
    block = read_message(data[inner[1] : inner[1] + inner[0]])
    numbers = {number for number, _ in block.fields}
    return {1, 3} <= numbers and not block.is_torn and not block.is_broken


def _is_new_claude(it: Specimen) -> bool:
    numbers = {number for number, _ in it.message.fields}
    is_sound = not it.message.is_broken and not it.message.is_torn
    return it.data[:1] == b"\x08" and is_sound and {1, 2, 3} <= numbers


def _is_claude_twice(it: Specimen) -> bool:
    inner = inner_text(it)
    return inner is not None and it.text[:1] == "R" and _is_claude(Specimen(inner))


def inner_text(it: Specimen) -> str | None:
    """Base64 inside base64; None where there is none."""
    if not it.is_whole or not it.data.isascii():
        return None
    text = it.data.decode()
    return text if decode(text) is not None else None


def _is_fernet(it: Specimen) -> bool:
    seconds = int.from_bytes(it.data[1:9], "big")
    return it.text.startswith("gAAAA") and len(it.data) >= 9 and seconds <= LAST_SECOND


def _is_stand_in(form: str) -> Callable[[Specimen], bool]:
    def fits(it: Specimen) -> bool:
        found = maybe_bypass(it.text)
        return found is not None and found.form == form

    return fits


FINGERPRINTS = (
    Fingerprint(
        row="fp-bypass",
        family="bypass",
        maker="bypass",
        says="a bypass, nobody's signature",
        confidence="documented",
        fits=_is_stand_in("raw"),
    ),
    Fingerprint(
        row="fp-bypass-64",
        family="bypass",
        maker="bypass",
        says="a bypass in base64, nobody's signature",
        confidence="observed",
        fits=_is_stand_in("base64"),
    ),
    Fingerprint(
        row="fp-openai",
        family="openai",
        maker="OpenAI",
        says="OpenAI",
        confidence="inferred",
        fits=_is_fernet,
    ),
    Fingerprint(
        row="fp-bedrock",
        family="unknown",
        maker="OpenAI",
        says="an OpenAI model",
        confidence="observed",
        fits=lambda it: it.text.startswith("rsn_5"),
        surface="bedrock",
    ),
    Fingerprint(
        row="fp-gemini-tool",
        family="google",
        maker="Google",
        says="Gemini 3, part of a server tool",
        confidence="observed",
        fits=_is_tool_part,
    ),
    Fingerprint(
        row="fp-gemini-3",
        family="google",
        maker="Google",
        says="Gemini 3",
        confidence="observed",
        fits=_is_field_2,
    ),
    Fingerprint(
        row="fp-vertex",
        family="google",
        maker="Google",
        says="Gemini",
        confidence="contested",
        fits=_is_vertex_field_1,
    ),
    Fingerprint(
        row="fp-gemini-25",
        family="google",
        maker="Google",
        says="Gemini 2.5",
        confidence="observed",
        fits=_is_field_1,
    ),
    Fingerprint(
        row="fp-bare",
        family="google",
        maker="Google",
        says="Gemini, bare as behind a gateway",
        confidence="observed",
        fits=lambda it: it.data[:1] == b"\x01" and bool(it.payload),
    ),
    Fingerprint(
        row="fp-claude",
        family="claude",
        maker="Anthropic",
        says="Claude",
        confidence="observed",
        fits=_is_claude,
    ),
    Fingerprint(
        row="fp-claude-new",
        family="claude",
        maker="Anthropic",
        says="Claude, newest form",
        confidence="observed",
        fits=_is_new_claude,
    ),
    Fingerprint(
        row="fp-claude",
        family="unknown",
        maker="Anthropic",
        says="Claude, in base64 twice",
        confidence="observed",
        fits=_is_claude_twice,
    ),
    Fingerprint(
        row="fp-copilot",
        family="unknown",
        maker="GitHub",
        says="GitHub's envelope, closed",
        confidence="inferred",
        fits=lambda it: it.carrier.endswith(".reasoning_opaque") and it.is_whole,
    ),
)
"""The first that fits is it. xAI's and Kimi's have rows and no form to know them by:
of them nothing is said."""

SHORTEST = 8
"""Bytes below which first bytes tell nothing."""


def recognise(it: Specimen) -> Fingerprint | None:
    if not it.text or (len(it.data) < SHORTEST and maybe_bypass(it.text) is None):
        return None
    return next((one for one in FINGERPRINTS if one.fits(it)), None)
