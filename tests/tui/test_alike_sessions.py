"""Sessions of one title are told apart by where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.driving import MISSING, opened

from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.engine.settings.places import shipped
from sigscope.tui.lines import plain
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.shelf import lay_card, places_of


def card(path: str, title: str = "a", shelf: str = "recent") -> SessionCard:
    return SessionCard(
        name="a", path=path, title=title, story="", shelf=shelf, steps=1, failed=0,
        runs=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("paths", "places"),
    [
        (["/u/a.har"], []),
        (["/u/one/a.har", "/u/two/a.har"], ["one", "two"]),
        (["/u/one/logs/a.har", "/u/two/logs/a.har"], ["one/logs", "two/logs"]),
        (["/u/one/a.har", "/u/one/b.har"], ["a.har", "b.har"]),
        (["/u/1/a", "/u/2/a", "/u/2/b"], ["1/a", "2/a", "2/b"]),
        (["/a.har", "/u/a.har"], ["/", "u"]),
    ],
)
def test_the_shortest_part_that_differs_is_named(
    paths: list[str], places: list[str]
) -> None:
    assert list(places_of([card(path) for path in paths]).values()) == places


def test_other_titles_and_examples_have_none() -> None:
    assert places_of([card("/u/1/a"), card("/u/2/a", "b")]) == {}
    assert places_of([card("/u/1/a"), card("/u/2/a", shelf="bundled")]) == {}


def test_a_long_title_leaves_room_for_the_place() -> None:
    first = lay_card(card("/u/1/a", "long " * 30), "", 40, UNICODE, "one/logs")[0]
    assert plain(first).rstrip().endswith("one/logs")


def test_of_a_path_the_end_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders above are much the same for all that one has."""
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    recorded = card("/home/me/.local/share/sessions/recorded-today.session.jsonl")
    for cells, words in (
        (100, "  ~/.local/share/sessions/recorded-today.session.jsonl"),
        (66, "  …/sessions/recorded-today.session.jsonl"),
        (48, "  …/recorded-today.sessi…"),
    ):
        below = plain(lay_card(recorded, "gemini", cells, UNICODE)[1])
        assert below.partition("1 step")[2].rstrip() == words


async def test_the_list_shows_which_is_which(tmp_path: Path) -> None:
    for folder in ("before", "after"):
        path = tmp_path / folder / "a.session.jsonl"
        path.parent.mkdir()
        path.write_bytes(
            (shipped("sessions") / f"{MISSING}.session.jsonl").read_bytes()
        )
        Library().remember(path)
    async with opened(None) as driver:
        await driver.until(lambda: "before" in driver.text and "after" in driver.text)
