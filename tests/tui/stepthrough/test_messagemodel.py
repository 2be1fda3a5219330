"""What is folded and chosen in the assembled message, without a terminal."""

from __future__ import annotations

from tests.tui.stepthrough.test_assembled import frame
from tests.unit.stepthrough import streams as s

from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.lines import plain
from sigscope.tui.stepthrough.messagemodel import MessageModel
from sigscope.tui.symbols import ASCII, UNICODE
from sigscope.tui.views.palette import Palette

ROOM = RowRoom(60)
MESSAGE = "/choices/0/message"
WORDS = [s.delta(role="assistant"), *(s.delta(content=f"word {n} ") for n in range(60))]


def model(at: int | None = None) -> MessageModel:
    found = MessageModel()
    found.lay(60, UNICODE, Palette())
    found.show(frame(*WORDS, at=at))
    return found


def drawn(found: MessageModel) -> list[str]:
    return [plain(found.line(row, ROOM)) for row in range(found.row_count)]


def test_what_the_event_changed_is_chosen() -> None:
    found = model()
    assert found.pointer == f"{MESSAGE}/content"
    assert found.last > found.row


def test_what_the_user_has_chosen_stays_chosen_until_another_response() -> None:
    found = model(at=3)
    assert found.select(f"{MESSAGE}/role")
    found.show(frame(*WORDS, at=4))
    assert found.pointer == f"{MESSAGE}/role"
    found.know({})
    found.show(frame(*WORDS, at=5))
    assert found.pointer == f"{MESSAGE}/content"


def test_what_is_folded_is_chosen_as_what_it_is_folded_in() -> None:
    found = model()
    found.select(MESSAGE)
    assert found.fold() is None
    assert not found.select(f"{MESSAGE}/role")
    assert found.pointer == MESSAGE
    found.unfold()
    assert found.select(f"{MESSAGE}/role")


def test_where_nothing_is_to_fold_the_way_leads_to_what_is_around() -> None:
    found = model()
    found.select(f"{MESSAGE}/role")
    around = found.fold()
    assert around is not None
    assert found.rows[around].pointer == MESSAGE


def test_an_unfolded_text_is_chosen_at_its_new_end() -> None:
    found = model(at=40)
    found.unfold()
    before = found.row_count
    found.show(frame(*WORDS))
    assert found.row_count > before
    assert drawn(found)[found.row].endswith("59 ▏")


def test_a_character_in_a_folded_text_is_revealed() -> None:
    found = model()
    found.select(MESSAGE)
    found.fold()
    found.reveal(f"{MESSAGE}/content", 0)
    assert "word 0 " in drawn(found)[found.row]
    assert found.here == (f"{MESSAGE}/content", 0)


def test_another_width_and_other_symbols_leave_the_field_chosen() -> None:
    found = model()
    found.lay(24, ASCII, Palette())
    assert found.pointer == f"{MESSAGE}/content"
    assert all(text.isascii() and len(text) <= 24 for text in drawn(found))
