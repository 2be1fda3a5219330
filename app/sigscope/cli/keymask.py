"""What an answer says of a key, masked before it is printed or kept."""

from __future__ import annotations

import json
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
        """JSON data; as text: what stands around a value tells what it is. Each string
        alone where a secret goes beyond one."""
        text = json.dumps(data, ensure_ascii=False)
        masked = self.text(text)
        if masked == text:
            return data
        try:
            return json.loads(masked)
        except ValueError:
            return self._each(data)

    def _each(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, dict):
            return {name: self._each(value) for name, value in data.items()}
        return [*map(self._each, data)] if isinstance(data, list | tuple) else data
