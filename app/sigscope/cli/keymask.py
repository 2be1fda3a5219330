"""What an answer says of a key, masked before it is printed or kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sigscope.engine.sessions.document import Document


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
    it is. Each string alone where a secret goes beyond one."""
    from sigscope.store.secrets.masker import mask_text

    text = json.dumps(data, ensure_ascii=False)
    masked, removed = mask_text(text, keys)
    if not removed:
        return data
    try:
        return json.loads(masked)
    except ValueError:
        return _each(data, keys)


def _each(data: Any, keys: Sequence[str]) -> Any:
    from sigscope.store.secrets.masker import mask_text

    if isinstance(data, str):
        return mask_text(data, keys)[0]
    if isinstance(data, dict):
        return {name: _each(value, keys) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_each(value, keys) for value in data]
    return data
