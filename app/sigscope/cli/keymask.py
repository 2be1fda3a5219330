"""What an answer says of a key, masked before it is printed or kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sigscope.edits.records import Edit
    from sigscope.engine.sessions.document import Document
    from sigscope.reader import Reading
    from sigscope.rules.findings import Finding

_STRING = re.compile(rb'"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
"""Of JSON, quotes included."""


class KeyMask:
    """Knows with which keys the requests of a document were sent; those that look
    like keys are masked as well."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def is_foreign(self) -> bool:
        """Whether it was written by another tool, as it came."""
        from sigscope.engine.sessions.opener import SESSION

        return self._document.session.format != SESSION

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Those of all requests. Costs a look at the head of each."""
        from sigscope.store.secrets.learner import keys_of

        exchanges = [reading.exchange for reading in self._document.readings]
        exchanges += [run.exchange for run in self._document.runs]
        return keys_of(exchange.request for exchange in exchanges)

    def said_of(self, step: int) -> Iterator[str]:
        """The keys that the refusal of a step says."""
        return _said_by(self._document.reading(step))

    def text(self, text: str) -> str:
        from sigscope.store.secrets.masker import mask_text

        return mask_text(text, self.keys)[0]

    def body(self, body: bytes) -> bytes:
        """A body, or a part of one; the length stays."""
        from sigscope.store.secrets.encoded import DEEPEST, find_all
        from sigscope.store.secrets.masker import apply_stars

        return apply_stars(body, find_all(body, self.keys, DEEPEST))[0]

    def excerpt(self, text: str, said: Sequence[str]) -> str:
        """What stands around something in a body, which may begin or end within a key.
        `said`: the keys of the whole body, see `said_in`."""
        from sigscope.store.secrets.masker import mask_text

        return mask_text(text, (*self.keys, *said))[0]

    def data(self, data: Any) -> Any:
        """JSON data."""
        return mask_data(data, self.keys)

    def findings(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings that say no key in the words of an answer. A quote may end within
        one: it is known from the whole answer."""
        masks: dict[tuple[str, ...], _RepeatedMask] = {}
        found = []
        for finding in findings:
            said = tuple(_said_by(self._document.reading(finding.step)))
            mask = masks.get(said)
            if mask is None:
                keys = (*self.keys, *said)
                mask = masks[said] = _RepeatedMask(keys, is_foreign=self.is_foreign)
            found.append(mask.finding(finding))
        return tuple(found)


class _RepeatedMask:
    """Masks some keys in findings. Those of a long session mend what those before them
    do, and more: each text and each edit is looked at once.

    `is_foreign`: what edits put into a request may have keys in it.
    """

    def __init__(self, keys: Sequence[str], *, is_foreign: bool) -> None:
        self._keys = keys
        self._is_foreign = is_foreign
        from sigscope.rules.edits import MadeEdits

        self._texts: dict[str, str] = {}
        self._edits = MadeEdits(self._hidden)

    def finding(self, finding: Finding) -> Finding:
        message, fix = self._text(finding.message), finding.fix
        hidden = self._edits.of(fix) if fix else fix
        is_plain = message == finding.message and all(map(is_, fix or (), hidden or ()))
        return finding if is_plain else replace(finding, message=message, fix=hidden)

    def _hidden(self, edit: Edit) -> Edit:
        from sigscope.edits.notation import describe

        label = edit.label or describe(edit)
        said = self._text(label)
        hidden = edit if said == label else replace(edit, label=said)
        if not (self._is_foreign and edit.value):
            return hidden
        # Under its name, as in the body: what carries a signature stays.
        name = json.dumps(edit.name or edit.pointer.rpartition("/")[2]) + ":"
        value = self._text(name + edit.value)[len(name) :]
        return hidden if value == edit.value else replace(hidden, value=value)

    def _text(self, text: str) -> str:
        from sigscope.store.secrets.masker import mask_text

        masked = self._texts.get(text)
        if masked is None:
            masked = self._texts[text] = mask_text(text, self._keys)[0]
        return masked


_LONGEST = 64 * 1024
"""Bytes of a refusal that are looked through."""


def _said_by(reading: Reading) -> Iterator[str]:
    """The keys that a refusal says."""
    from sigscope.store.secrets.learner import said_in

    response = reading.exchange.response
    if response is not None and (response.status or 0) >= 400:
        yield from said_in(reading.response_body.data[:_LONGEST])


def mask_data(data: Any, keys: Sequence[str]) -> Any:
    """JSON data with its keys masked; as text: what stands around a value tells what
    it is. What stands between its strings stays, where a secret goes beyond one."""
    from sigscope.store.secrets.masker import mask_text

    text = json.dumps(data, ensure_ascii=False)
    masked, removed = mask_text(text, keys)
    if not removed:
        return data
    stars = masked.encode("utf-8", "surrogatepass")

    def in_string(literal: re.Match[bytes]) -> bytes:
        found = b'"%b"' % stars[literal.start() + 1 : literal.end() - 1]
        whole = b'"%b"' % (b"*" * (len(found) - 2))  # an escape was cut through
        return found if _STRING.fullmatch(found) else whole

    raw = text.encode("utf-8", "surrogatepass")
    plain = _STRING.sub(in_string, raw)
    return json.loads(plain.decode("utf-8", "surrogatepass"))
