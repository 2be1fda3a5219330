"""One word per thing: a class name stands in one module, or here, with the reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tests.unit.ourclasses import classes

_PLAIN = "what the Python API tells of it as plain data (docs/python-api.md)"
_PROMISED = "both are promised to extensions (docs/extensions.md)"

IN_TWO_MODULES: Mapping[str, str] = {
    "Fate": _PLAIN,
    "Finding": _PLAIN,
    "Run": _PLAIN,
    "Signature": _PLAIN,
    "Step": _PLAIN,
    "Format": _PROMISED,
    "Place": "one is of the Python API, the other is promised to extensions",
    "Policy": "a client's is a file and a word on screen; the ledger's is promised",
    "Refusal": "the error as read is the word on screen; extensions' services answer"
    " with the simulator's, which knows nothing of that package",
    "Service": "one is of the Python API, the other is promised to extensions",
}


def doubles() -> dict[str, list[str]]:
    """Public classes of the same name: name → the modules they stand in."""
    found: dict[str, list[str]] = defaultdict(list)
    for module, node in classes():
        if not node.name.startswith("_"):
            found[node.name].append(module)
    return {name: places for name, places in found.items() if len(places) > 1}


def test_a_class_name_stands_in_one_module_unless_a_reason_is_written() -> None:
    new = {n: places for n, places in doubles().items() if n not in IN_TWO_MODULES}
    assert not new, "call the narrower of them by what it is"


def test_a_reason_is_written_for_none_that_is_gone() -> None:
    assert set(IN_TWO_MODULES) <= set(doubles())
