"""What an answer's error really says: unwrapped, matched to rules, and placed.

Gateways wrap errors in errors: a one-element array, a JSON string inside
`metadata.raw`, a prefix before JSON, JSON inside a message. `unwrap` peels these off,
`patterns` knows which rule speaks in these words (dialects.md 13), and `locate` turns
"the 2. content block" into the nodes of this very request.
"""

from sigscope.refusals.records import Match, Refusal

__all__ = ["Match", "Refusal"]
