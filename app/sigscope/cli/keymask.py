"""What an answer says of a key, masked before it is printed or kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
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

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Those of all requests. Costs a look at the head of each."""
        from sigscope.store.secrets.learner import Known

        known = Known()
        for reading in self._document.readings:
            known.learn(reading.exchange.request)
        for run in self._document.runs:
            known.learn(run.exchange.request)
        return known.secrets

    def text(self, text: str) -> str:
        from sigscope.store.secrets.masker import mask_text

        return mask_text(text, self.keys)[0]

    def data(self, data: Any) -> Any:
        """JSON data."""
        return mask_data(data, self.keys)

    def findings(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings that say no key in the words of an answer. A quote may end within
        one: it is known from the whole answer."""
        return tuple(self._finding(each) for each in findings)

    def _finding(self, finding: Finding) -> Finding:
        from sigscope.edits.notation import describe
        from sigscope.store.secrets.masker import mask_text

        reading = self._document.reading(finding.step)
        keys = (*self.keys, *_said_in(reading))

        def masked(text: str) -> str:
            return mask_text(text, keys)[0]

        def hidden(edit: Edit) -> Edit:
            label = edit.label or describe(edit)
            said = masked(label)
            return edit if said == label else replace(edit, label=said)

        fix = finding.fix and tuple(hidden(edit) for edit in finding.fix)
        return replace(finding, message=masked(finding.message), fix=fix)


_LONGEST = 64 * 1024
"""Bytes of a refusal that are looked through."""


def _said_in(reading: Reading) -> Iterator[str]:
    """The keys that a refusal says."""
    from sigscope.store.secrets.encoded import DEEPEST, find_all

    response = reading.exchange.response
    if response is None or (response.status or 0) < 400:
        return
    body = reading.response_body.data[:_LONGEST]
    for secret in find_all(body, (), DEEPEST):
        yield body[secret.start : secret.end].decode("utf-8", "replace")


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
