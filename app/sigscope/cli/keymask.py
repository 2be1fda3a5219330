"""What an answer says of a key, masked before it is printed or kept."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sigscope.engine.sessions.document import Document

_STRING = re.compile(rb'"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
"""Of JSON, quotes included."""


class KeyMask:
    """Knows with which keys the requests of a document were sent; those that look
    like keys are masked as well."""

    def __init__(self, document: Document) -> None:
        from sigscope.store.secrets.learner import Known

        known = Known()
        for reading in document.readings:
            known.learn(reading.exchange.request)
        for run in document.runs:
            known.learn(run.exchange.request)
        self.keys = known.secrets

    def text(self, text: str) -> str:
        from sigscope.store.secrets.masker import mask_text

        return mask_text(text, self.keys)[0]

    def data(self, data: Any) -> Any:
        """JSON data."""
        return mask_data(data, self.keys)


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
