"""Texts in which a secret stands between « and »."""

from __future__ import annotations

import json


def planted(text: str, depth: int = 0) -> tuple[bytes, bytes]:
    """The text without the marks, in strings of JSON so deep; and with stars for the
    secret, wherever it stands."""
    secret = text.partition("«")[2].partition("»")[0]
    said = text.replace("«", "").replace("»", "")
    stars = said.replace(secret, "*" * len(secret))
    for _ in range(depth):
        said, stars = json.dumps({"c": said}), json.dumps({"c": stars})
    return said.encode(), stars.encode()
