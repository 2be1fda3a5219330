"""Edits that were not sent, of every session that was open since the start.

Going back to the list loses nothing: who opens the session again finds its edits on,
with their history. At the end of the program they can be kept in files.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sigscope.engine.document import Document
from sigscope.engine.drafts import Base, Drafts, Edits, unsent
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.json import EditHistory
from sigscope.tui.views.headline import name_of

Histories = defaultdict[Base, EditHistory]
FROM_BEFORE = "kept from last time"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    document: Document
    histories: Histories

    @property
    def unsent(self) -> dict[Base, Edits]:
        edits = {base: history.edits for base, history in self.histories.items()}
        return unsent(edits, self.document.runs)


class Unsent:
    """Holds the histories of edits by session; keeps edits in files if asked."""

    def __init__(self, drafts: Drafts | None = None) -> None:
        self._drafts = drafts or Drafts()
        self._held: dict[tuple[str | None, str], _Held] = {}

    def hold(self, document: Document, histories: Histories) -> int:
        """Remember what was done to a session; how many of its edits were not sent."""
        held = _Held(document=document, histories=histories)
        self._held[_key(document)] = held
        return sum(len(edits) for edits in held.unsent.values())

    def recall(self, document: Document) -> tuple[Histories, dict[Base, Edits]]:
        """The histories of a session, and the edits that were kept in a file from
        before the start; none where it was open since."""
        held = self._held.get(_key(document))
        if held is not None:
            return held.histories, {}
        histories: Histories = defaultdict(EditHistory)
        kept = self._drafts.kept(document.session)
        for base, edits in kept.items():
            histories[base].push(edits, FROM_BEFORE)
        return histories, kept

    def lines(self) -> list[str]:
        """What would be lost: "copilot-missing-signature: 2 edits of step 2"."""
        return [
            f"{name_of(held.document.session)}: {say(held.unsent)}"
            for held in self._held.values()
            if held.unsent
        ]

    def keep(self) -> list[str]:
        """Write them to files; what could not be kept, in words."""
        problems = []
        for held in self._held.values():
            session = held.document.session
            try:
                left_out = self._drafts.keep(session, held.unsent)
            except SigscopeError as error:
                problems.append(str(error))
                continue
            if left_out:
                edits = figures.count(left_out, "edit")
                problems.append(f"{name_of(session)}: {edits} with a secret in it")
        return problems

    def drop(self) -> None:
        """Keep none of them, nor what was kept of these sessions before."""
        for held in self._held.values():
            self._drafts.drop(held.document.session)


def say(drafts: dict[Base, Edits]) -> str:
    """ "2 edits of step 2, 1 edit of run 3"."""
    return ", ".join(
        f"{figures.count(len(edits), 'edit')} of"
        f" {f'step {step}' if run is None else f'run {run}'}"
        for (step, run), edits in drafts.items()
    )


def _key(document: Document) -> tuple[str | None, str]:
    return document.session.path, document.session.id
