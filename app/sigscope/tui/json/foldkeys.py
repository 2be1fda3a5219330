"""The keys that fold rows, for every view that has folds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from textual.binding import Binding, BindingType

_KEYS: Final = {
    "unfold": ("l,right", "unfold", "Unfold", "Unfold, or go to the first child"),
    "fold": ("h,left", "fold", "Fold", "Fold, or go to what is around"),
    "parent": ("H", "parent", "Parent", "Go to what is around"),
    "flip": ("enter", "flip", "Fold or unfold", "Fold or unfold"),
    "next": ("J,shift+down", "next-sibling", "Next sibling", "Next on the same level"),
    "previous": (
        "K,shift+up", "previous-sibling", "Previous sibling",
        "Previous on the same level",
    ),
    "unfold-deep": (
        "o", "unfold-deep", "Unfold all below", "Unfold everything below",
    ),
    "fold-deep": (
        "c", "fold-deep", "Fold all below", "Fold, and everything below too",
    ),
    "deeper": (
        "right_parenthesis", "deeper", "One level deeper",
        "Unfold one level more of what is below",
    ),
    "shallower": (
        "left_parenthesis", "shallower", "One level less",
        "Fold the innermost level below",
    ),
    "unfold-level": (
        "O", "unfold-level", "Unfold the level", "Unfold everything on this level",
    ),
    "fold-level": (
        "C", "fold-level", "Fold the level", "Fold everything on this level",
    ),
}  # fmt: skip
"""Key, id, word and what it is for, of each of `folds.COMMANDS`."""


def fold_keys(
    prefix: str, commands: Collection[str] = _KEYS.keys()
) -> list[BindingType]:
    """Bindings to `action_fold`, of some commands or of all; their ids begin with
    `prefix`."""
    return [
        Binding(keys, f"fold('{command}')", word, False, id=f"{prefix}{name}",
                tooltip=tooltip)
        for command, (keys, name, word, tooltip) in _KEYS.items()
        if command in commands
    ]  # fmt: skip
