"""What keys fold, and where the chosen row goes; no terminal."""

from __future__ import annotations

from typing import Any

from textual.binding import Binding

from sigscope.tui.json.foldkeys import fold_keys
from sigscope.tui.json.folds import COMMANDS, OutlineFolds
from sigscope.tui.json.outline import Growth, Level, Outline

TREE: dict[str, Any] = {"a": {"b": {"c": {}}, "d": {}}, "e": {"f": {}}, "g": {}}


def folds() -> OutlineFolds:
    def grow(item: tuple[str, Any], level: Level) -> Growth | None:
        return Growth(tuple(item[1].items()), None) if item[1] else None

    return OutlineFolds(
        Outline(Growth(tuple(TREE.items()), None), grow), lambda i: bool(i[1])
    )


def rows(found: OutlineFolds) -> str:
    """The names of the rows, the chosen one in upper case."""
    names = [spot.item[0] for spot in found.outline.window(0, 99)]
    return "".join(n.upper() if at == found.row else n for at, n in enumerate(names))


def after(*commands: str, row: int = 0) -> str:
    found = folds()
    found.row = row
    for command in commands:
        found.obey(command)
    return rows(found)


def test_unfolding_twice_goes_to_the_first_child() -> None:
    assert after("unfold") == "Abdeg"
    assert after("unfold", "unfold") == "aBdeg"


def test_folding_what_is_folded_goes_to_what_is_around() -> None:
    assert after("unfold", "unfold", "fold") == "Abdeg"
    assert after("unfold", "unfold", "fold", "fold") == "Aeg"


def test_siblings_end_where_the_level_ends() -> None:
    assert after("unfold", "next") == "abdEg"
    assert after("unfold", "next", "next", "next") == "abdeG"
    assert after("previous") == "Aeg"


def test_a_whole_level_unfolds_and_folds_around_the_chosen_row() -> None:
    assert after("unfold-level", row=2) == "abdefG"
    assert after("unfold-level", "fold-level", row=1) == "aEg"


def test_levels_below_unfold_one_by_one() -> None:
    assert after("deeper") == "Abdeg"
    assert after("deeper", "deeper") == "Abcdeg"
    assert after("deeper", "deeper", "shallower") == "Abdeg"


def test_a_command_says_whether_rows_have_come_or_gone() -> None:
    found = folds()
    assert found.obey("unfold")
    assert not found.obey("unfold")
    assert not found.obey("parent")
    assert found.obey("fold")


def test_what_is_left_out_is_told(monkeypatch: Any) -> None:
    monkeypatch.setattr("sigscope.tui.json.folds.MOST_UNFOLDED", -2)
    found = folds()
    found.obey("unfold-deep")
    assert found.is_cut
    found.obey("fold")
    assert not found.is_cut


def test_every_command_has_a_key_and_every_key_a_command() -> None:
    bound = list(Binding.make_bindings(fold_keys("json.")))
    assert {each.action for each in bound} == {f"fold('{name}')" for name in COMMANDS}


def test_a_view_takes_some_of_them_under_names_of_its_own() -> None:
    bound = Binding.make_bindings(fold_keys("json.diff-", ("unfold", "next")))
    names = {each.id for each in bound}
    assert names == {"json.diff-unfold", "json.diff-next-sibling"}
