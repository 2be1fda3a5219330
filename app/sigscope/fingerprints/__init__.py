"""Fingerprints: where one opaque string seems to come from, read without any key.

    for hint in read_hints("gAAAAABpVbkA..."):
        hint.about, hint.says, hint.confidence, hint.source

None of this is documented by those who mint, and all of it may change. So these are
hints, never findings: each as sure as its row in docs/wire/fingerprints.md and no
surer, and where nothing is known nothing is said. What is told of damage (cut,
another alphabet) is told only of what has a known form besides: a string of another
kind owes nobody whole base64.
"""

from sigscope.fingerprints.hints import Hint, hint_rows, read_hints, told
from sigscope.fingerprints.origin import OriginHint, guess_origin

__all__ = ["Hint", "OriginHint", "guess_origin", "hint_rows", "read_hints", "told"]
