"""Mints signatures and recognises them when they come back.

Nothing is remembered between requests: what a signature was minted for is sealed
inside it, so a judgement needs only the seed. Signatures of a recorded session are
told to us (`SimConfig.genuine`) and compared byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Literal

from sigscope.latest import Latest
from sigscope.opaque import fingerprint
from sigscope.records import dataclass
from sigscope.upstreams.simulator.config import Anchor, SimConfig
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.sealed import OVERHEAD, seal, unseal
from sigscope.upstreams.simulator.mint.shapes import (
    BYPASS_2_B64,
    BYPASS_2_RAW,
    BYPASS_B64,
    BYPASS_RAW,
    KEY_IDS,
    Form,
    Undressed,
    decode,
    dress,
    undress,
)
from sigscope.upstreams.simulator.records import Json, SignatureJudgement, Standing
from sigscope.utf8 import to_bytes

Bypass = Literal["", "raw", "base64", "raw-2", "base64-2"]

_BYPASSES: dict[str, Bypass] = {
    BYPASS_RAW: "raw",
    BYPASS_B64: "base64",
    BYPASS_2_RAW: "raw-2",
    BYPASS_2_B64: "base64-2",
}
_REMEMBERED = 4096
"""Texts whose opening is remembered; a long session has some hundreds."""
_MET = 4 << 20
"""Characters of texts that are remembered as recorded ones, or as none of these."""
_LEAST_PREFIX = 6
"""Shorter beginnings of a recorded signature are its outer form, not itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealOwner:
    """Who can open a signature."""

    service: str
    """google, github, anthropic, openai, xai."""
    surface: str = ""
    """Google's surface; empty for others."""
    family: str = ""
    """gemini-3, gemini-2.5, claude ..."""
    account: str = ""

    def opens(self, other: str, *, strict: bool) -> bool:
        """Whether what `other` (as sealed) minted is valid here (GEM-14)."""
        service, surface, family, account = other.split("|", 3)
        same = (service, surface, account) == (self.service, self.surface, self.account)
        if strict:
            return same and family == self.family
        return same and family.split("-")[0] == self.family.split("-")[0]

    def __str__(self) -> str:
        return "|".join((self.service, self.surface, self.family, self.account))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """What the keyring knows about one signature text."""

    standing: Standing
    minted_for: Anchor | None = None
    """None if not known."""
    bypass: Bypass = ""
    text_digest: str = ""
    """Digest of the text it was minted beside; empty if not known."""
    note: str = ""

    def judgement(
        self,
        value: str,
        pointer: str,
        found_on: str,
        *,
        note: str = "",
        read: bool = True,
    ) -> SignatureJudgement:
        """How a value that turned out to be this is reported."""
        return SignatureJudgement(
            pointer=pointer,
            fingerprint=fingerprint(value),
            chars=len(value),
            standing=self.standing,
            read=read,
            minted_for=str(self.minted_for or ""),
            found_on=found_on,
            note=note or self.note,
        )


class Keyring:
    """One simulator's keys, and the recorded signatures it was told of."""

    def __init__(self, config: SimConfig) -> None:
        self._key = hashlib.sha256(b"simulator|" + to_bytes(config.seed)).digest()
        self._strict = config.strict
        self._known: dict[str, bytes | Recognition] = {}
        self._told = {_bytes(text): anchor for text, anchor in config.genuine.items()}
        self._met: Latest[str, tuple[Anchor | None]] = Latest(_MET)

    def mint(
        self,
        form: Form,
        origin: SealOwner,
        anchor: Anchor,
        draws: Draws,
        *,
        size: int,
        unix: int = 0,
    ) -> str:
        """A new signature in the given outer form, about `size` bytes of it sealed."""
        record = json.dumps(
            [
                form,
                unix,
                str(origin),
                anchor.kind,
                anchor.name,
                anchor.call_id,
                "" if anchor.arguments is None else digest(canonical(anchor.arguments)),
                "" if anchor.text is None else digest(anchor.text),
                *([anchor.before] if anchor.before else ()),
            ],
            separators=(",", ":"),
        ).encode()
        if form == "fernet":
            size = max(size, OVERHEAD + len(record)) // 16 * 16 + 16
        sealed = seal(self._key, record, draws.bytes(12), size)
        return dress(form, sealed, origin.surface, unix)

    def recognise(
        self, text: str, origin: SealOwner, found: Anchor, calls: Collection[str] = ()
    ) -> Recognition:
        """Judge a signature by where it came from and where it now stands.

        `calls` are the ids of all calls in the request: they decide whether a call
        that has another id was renamed by the client or is simply another call.
        """
        if bypass := _BYPASSES.get(text, ""):
            return Recognition(standing=Standing.BYPASS, bypass=bypass, note=bypass)
        told = self._anchor(text)
        if told is not None:
            return self._place(told, "", origin, found, calls)
        opened = self._open(text)
        if isinstance(opened, bytes):
            return self._opened(opened, origin, found, calls)
        return opened

    def _anchor(self, text: str) -> Anchor | None:
        """What a recorded signature was for, however it is spelled; of many requests
        that repeat it, it is decoded once."""
        met = self._met.get(text)
        if met is None:
            met = self._met.put(text, (self._told.get(_bytes(text)),), len(text))
        return met[0]

    def _open(self, text: str) -> bytes | Recognition:
        """The record sealed in a text, or what became of it. Remembered: one request
        is looked at from several sides."""
        if text not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[text] = self._try(text)
        return self._known[text]

    def _try(self, text: str) -> bytes | Recognition:
        data = decode(text)
        if data is None:
            return self._undecodable(text)
        for candidate in undress(data):
            opened = unseal(self._key, candidate.sealed)
            if opened.state == "whole" and _is_dressed(opened.record, candidate, data):
                return opened.record
            if opened.state == "cut" or (opened.state != "unknown" and candidate.torn):
                return Recognition(standing=Standing.CUT)
            if opened.state in ("altered", "whole"):
                return Recognition(standing=Standing.ALTERED)
        return self._unknown(data)

    def _opened(
        self, record: bytes, origin: SealOwner, found: Anchor, calls: Collection[str]
    ) -> Recognition:
        _, _, minted_by, kind, name, call_id, arguments, text, *bound = json.loads(
            record
        )
        before = bound[0] if bound else ""
        anchor = Anchor(kind=kind, name=name, call_id=call_id, before=before)
        if not origin.opens(minted_by, strict=self._strict):
            return Recognition(
                standing=Standing.FOREIGN,
                minted_for=anchor,
                text_digest=text,
                note=f"minted by {minted_by.replace('|', ' ')}",
            )
        placed = self._place(anchor, arguments, origin, found, calls)
        return Recognition(
            standing=placed.standing,
            minted_for=anchor,
            text_digest=text,
            note=placed.note,
        )

    def _place(
        self,
        anchor: Anchor,
        arguments: str,
        origin: SealOwner,
        found: Anchor,
        calls: Collection[str],
    ) -> Recognition:
        if anchor.surface and origin.surface and anchor.surface != origin.surface:
            note = f"received from {anchor.surface}"
            return Recognition(standing=Standing.FOREIGN, minted_for=anchor, note=note)
        if not arguments and anchor.arguments is not None:
            arguments = digest(canonical(anchor.arguments))
        note = _misplaced(anchor, arguments, found, calls)
        return Recognition(
            standing=Standing.MISPLACED if note else Standing.GENUINE,
            minted_for=anchor,
            text_digest="" if anchor.text is None else digest(anchor.text),
            note=note,
        )

    def _undecodable(self, text: str) -> Recognition:
        """Cut where it ends like a cut: an ellipsis, or a length of 1 modulo 4
        (docs/wire/README.md#outcomes)."""
        bare = text.rstrip(".…=")
        ends = len(bare) % 4 == 1 or text.endswith(("...", "…"))
        cut = ends and decode(bare[: len(bare) // 4 * 4]) is not None
        standing = Standing.CUT if cut else Standing.NOT_BASE64
        return Recognition(standing=standing, note="not base64")

    def _unknown(self, data: bytes) -> Recognition:
        if self._beginning(data):
            return Recognition(standing=Standing.CUT)
        for value in self._told:
            shared = _shared(value, data)
            if shared >= 4 * _LEAST_PREFIX or (
                shared >= _LEAST_PREFIX and len(value) == len(data)
            ):
                return Recognition(standing=Standing.ALTERED)
        ours = [c for c in undress(data) if c.key_id in KEY_IDS.values()]
        if any(candidate.torn for candidate in ours):
            return Recognition(standing=Standing.CUT)
        if ours and not self._told:
            return Recognition(standing=Standing.ALTERED, note="our form, not our seal")
        return Recognition(standing=Standing.FOREIGN, note="never minted here")

    def _beginning(self, data: bytes) -> bool:
        return len(data) >= _LEAST_PREFIX and any(
            len(data) < len(value) and value.startswith(data) for value in self._told
        )


def _is_dressed(record: bytes, candidate: Undressed, data: bytes) -> bool:
    """Whether the outer form is still the one it was minted in, to the byte."""
    form, unix, minted_by, *_ = json.loads(record)
    surface = minted_by.split("|")[1]
    return decode(dress(form, candidate.sealed, surface, unix)) == data


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def canonical(arguments: Json) -> str:
    """Arguments as one spelling: key order and white space do not count."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return str(arguments)
    whole = _whole_numbers(arguments)
    return json.dumps(whole, sort_keys=True, separators=(",", ":"))


def _whole_numbers(value: Json) -> Json:
    """2.0 and 2 are one number: clients re-spell what they parsed."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(member) for member in value]
    return value


def digest(text: str) -> str:
    """Sixteen hex digits that stand for a text."""
    return hashlib.sha256(to_bytes(text)).hexdigest()[:16]


def _bytes(text: str) -> bytes:
    data = decode(text)
    return to_bytes(text) if data is None else data


def _misplaced(
    anchor: Anchor, arguments: str, found: Anchor, calls: Collection[str]
) -> str:
    """Why the place is wrong, in words; empty if it is right or cannot be told."""
    if not anchor.kind or not found.kind:
        return ""
    if (anchor.kind == "call") != (found.kind == "call"):
        return f"minted for {anchor}, stands on {found}"
    if anchor.kind != "call" or (anchor.call_id and anchor.call_id == found.call_id):
        return ""
    if anchor.call_id and anchor.call_id in calls:
        return f"minted for {anchor}, stands on {found}"
    if anchor.name and found.name and anchor.name != found.name:
        return f"minted for {anchor}, stands on {found}"
    if found.arguments is None or arguments in ("", digest(canonical(found.arguments))):
        return ""
    return "minted for a call with other arguments"
