"""Putting stand-ins where signatures stood, in bodies and in texts."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator

from sigscope import opaque
from sigscope.store.standins.relations import LEAST, Relations, plain

SHORTEST = 16
"""Characters from which a run of base64 may be a signature, whatever stands around."""
_LONGEST = 64 * 1024
"""Longer runs are not searched for a signature somewhere inside."""
_ANYWHERE = 12
"""Characters from which a member called just `data` may hold a piece of one."""

_UNIT = re.compile(r"\\/|\\u00(?:2[bdfBDF]|3[dD]|5[fF])|.", re.DOTALL)
_BASE64 = rb"(?:[\w+/-]|\\/|\\u00(?:2[bdfBDF]|5[fF]))"
_RUN_OF_BASE64 = rb"(?:[\w+/-]++|\\/|\\u00(?:2[bdfBDF]|5[fF]))++"
"""Nothing that follows makes it shorter; to remember each letter for that would take
100 bytes for it."""
_PADDING = rb"(?:=|\\u003[dD]){0,2}"
_FIND = re.compile(
    rb"(?<!\\)(?P<name>thoughtSignature|thought_signature|signature|reasoning_opaque|"
    rb'encrypted_content|data)\\*"\s*:\s*\\*"'
    rb"(?P<piece>(?=" + _BASE64 + rb"{4})" + _RUN_OF_BASE64 + _PADDING + rb')(?=\\*")'
    rb"|(?:(?<!\\)|(?=[\\/u]))(?P<run>(?="
    + _BASE64
    + rb"{16})"
    + _RUN_OF_BASE64
    + _PADDING
    + rb")"
)
"""A member that may hold a piece of a signature, as
streams bring them; or a run of base64, which an escape is no part of. But `+ / - _ =`
may be escaped."""
_RUN = re.compile(r"[\w+/-]{16,}={0,2}", re.ASCII)
_HEX = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{6})\b")
_VSCODE = "__vscode-"


class StandIns:
    """The stand-ins of one session's signatures."""

    def __init__(self, key: bytes, signatures: Iterable[str]) -> None:
        """`signatures`: each different text that the ledger knows, received or sent.

        The same key and signatures give the same stand-ins; a key of its own for each
        session keeps sessions from being linked. Bypass values stay what they are.
        """
        texts = [text for text in signatures if not opaque.maybe_bypass(text)]
        self._relations = Relations(key, (s for t in texts for s in _cores(t)))
        self._done: dict[str, str] = {}
        self._runs: dict[bytes, bytes] = {}
        """The same of runs as bodies spell them."""
        self._names: dict[str, str] = {}
        for text in texts:
            new = self.stand_in(text)
            self._names[opaque.sha256(text)] = opaque.sha256(new)
            self._names[opaque.fingerprint(text)] = opaque.fingerprint(new)

    def stand_in(self, text: str) -> str:
        """What takes the place of a text that is, or holds, a signature."""
        new = self._done.get(text)
        if new is None:
            new = self._done[text] = self._work_out(text)
        return new

    def replace(self, data: bytes) -> bytes:
        """A body with stand-ins; its length and all else in it stay."""
        return _FIND.sub(self._replace_match, data)

    def replace_text(self, text: str) -> str:
        """The same for words about the session; fingerprints are brought up to date."""
        text = _HEX.sub(lambda match: self._names.get(match[0], match[0]), text)
        data = self.replace(text.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass")

    def _replace_match(self, match: re.Match[bytes]) -> bytes:
        run, piece = match["run"], match["piece"]
        if run:
            new = self._runs.get(run)
            if new is None:
                new = self._runs[run] = _rewrite(run, self.stand_in)
            return new
        least = _ANYWHERE if match["name"] == b"data" else 4
        new = _rewrite(piece, lambda text: self._stand_in_for_piece(text, least))
        return match[0][: -len(piece)] + new

    def _stand_in_for_piece(self, text: str, least: int) -> str:
        """The same part of the stand-in as this is of its signature."""
        new = self.stand_in(text)
        bare = plain(text)
        if new != text or len(bare) < least:
            return new
        for known in self._relations:
            place = known.find(bare)
            if place >= 0:
                whole = self._relations.add(known)
                return _spell(whole[place : place + len(bare)], text)
        return text

    def _work_out(self, text: str) -> str:
        if self._relations.is_stand_in(plain(text)):
            return text
        for attempt in (
            self._maybe_call_id,
            self._maybe_nested,
            self._maybe_signature,
            self._maybe_inside,
        ):
            new = attempt(text)
            if new is not None:
                return new
        if _RUN.fullmatch(text):
            return text
        return _RUN.sub(lambda match: self.stand_in(match[0]), text)

    def _maybe_call_id(self, text: str) -> str | None:
        """Behind LiteLLM's separator, and before VS Code's suffix."""
        before, separator, signature = text.partition(opaque.THOUGHT_SEPARATOR)
        if not separator:
            return None
        new = self.stand_in(signature)
        if new == signature and _VSCODE in signature:
            bare, suffix, rest = signature.rpartition(_VSCODE)
            new = self.stand_in(bare) + suffix + rest
        return before + separator + new

    def _maybe_nested(self, text: str) -> str | None:
        """Base64 of a signature that is base64 already."""
        inner = opaque.decode(text)
        if inner is None or len(inner) < SHORTEST or not inner.isascii():
            return None
        old = inner.decode()
        new = self.stand_in(old) if _RUN.fullmatch(old) else old
        if new == old:
            return None
        return _spell(plain(base64.b64encode(new.encode()).decode()), text)

    def _maybe_signature(self, text: str) -> str | None:
        """A signature, a copy of one, or one with something around it."""
        bare = plain(text)
        new = self._relations.get(bare)
        if new is not None:
            return _spell(new, text)
        original = (
            self._relations.maybe_original(bare) if len(bare) >= SHORTEST else None
        )
        if original is None:
            return None
        place = bare.find(original)
        if place < 0:
            return _spell(self._relations.add(bare), text)
        end = place + len(original)
        return text[:place] + self.stand_in(text[place:end]) + text[end:]

    def _maybe_inside(self, text: str) -> str | None:
        """A signature with something before it, such as a path."""
        bare = plain(text)
        if len(bare) > _LONGEST:
            return None
        for place in range(1, len(bare) - LEAST + 1):
            if self._relations.maybe_original(bare[place:]):
                return text[:place] + self.stand_in(text[place:])
        return None


def _cores(text: str) -> Iterator[str]:
    """The signature in a text, without what middlemen and editors put around it."""
    core = text.removesuffix("...").removesuffix("…")
    if opaque.THOUGHT_SEPARATOR in core:
        core = opaque.split_call_id(core).signature or ""
    runs = [core] if core and _is_base64(core) else _RUN.findall(core)
    if runs:
        yield max(runs, key=len)


def _is_base64(text: str) -> bool:
    return re.fullmatch(r"[\w+/-]+={0,2}", text, re.ASCII) is not None


def _spell(bare: str, like: str) -> str:
    """A plain text in the alphabet and with the padding of another one.

    Stand-ins keep `+` and `/` where they were, so that each can be spelt like there.
    """
    spelt = [
        old if old in "+/-_" else new for new, old in zip(bare, like, strict=False)
    ]
    return "".join(spelt) + like[len(bare) :]


def _rewrite(run: bytes, change: Callable[[str], str]) -> bytes:
    """Change a run of base64 and keep the escapes that are in it."""
    if b"\\" not in run:
        return change(run.decode()).encode()
    units = _UNIT.findall(run.decode())
    old = "".join(_unescape(unit) for unit in units)
    new = change(old)
    if new == old:
        return run
    return "".join(
        unit if len(unit) > 1 else char for unit, char in zip(units, new, strict=True)
    ).encode()


def _unescape(unit: str) -> str:
    if len(unit) == 1:
        return unit
    return "/" if unit == "\\/" else chr(int(unit[2:], 16))
