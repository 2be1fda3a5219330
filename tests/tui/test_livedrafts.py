"""Edits that are on, written down while the program runs and once when it is ended."""

from __future__ import annotations

from types import TracebackType
from typing import Any, cast

from tests.tui.debugger.desk import FakeDesk, model_of
from tests.tui.driving import EMPTY_LIST

from sigscope.edits.records import Edit, Op
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.drafts import Base, Edits
from sigscope.tui.app import SigscopeApp
from sigscope.tui.livedrafts import LiveDrafts, _State
from sigscope.tui.unsent import Unsent

BASE: Base = (2, None)
OLDER: Edits = (Edit(op=Op.DROP, pointer="/model"),)
NEWER: Edits = (*OLDER, Edit(op=Op.DROP, pointer="/tools"))


class FakeUnsent:
    """Notes what it is given to write."""

    def __init__(self) -> None:
        self.written: list[Edits] = []

    def note(self, document: Document, edits: dict[Base, Edits]) -> None:
        self.written.append(edits[BASE])


class FakeApp:
    def set_interval(self, *_: object) -> None: ...


class GreedyLock:
    """A thread that has waited for it takes it as soon as it is free."""

    def __init__(self, live: LiveDrafts, document: Document) -> None:
        self._live = live
        self._late = [(document, _State(((BASE, OLDER),), runs=0))]
        self._depth = 0

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if not self._depth and self._late:
            late, self._late = self._late, []
            self._live._write(late)


def test_what_is_written_at_the_end_is_not_overwritten_by_what_was_on_before() -> None:
    document = model_of(EMPTY_LIST, FakeDesk()).document
    unsent = FakeUnsent()
    live = LiveDrafts(cast(SigscopeApp, FakeApp()), cast(Unsent, unsent))
    live._lock = cast(Any, GreedyLock(live, document))
    state = _State(((BASE, NEWER),), runs=0)
    live._changed = lambda: iter([(document, state)])  # type: ignore[method-assign]
    live.write_now()
    assert unsent.written == [NEWER]
