"""Edits that were not sent, of every session that was open since the start.

Going back to the list loses nothing: who opens the session again finds its edits on,
with their history. What is on is written to files a moment after each change, so that
it is on again after a crash or a kill too; who quits is asked whether it is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.drafts import Base, Drafts, Edits, unsent
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
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
        before the start; none where it was open since. Where several programs left
        edits of one request, the latest are on, and undoing leads to the others."""
        held = self._held.get(_key(document))
        if held is not None:
            return held.histories, {}
        histories: Histories = defaultdict(EditHistory)
        found = self._drafts.found(document.session)
        for base, edits in found:
            histories[base].push(edits, FROM_BEFORE)
        return histories, dict(found)

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

    def note(self, document: Document, edits: Mapping[Base, Edits]) -> int:
        """Write down what is on in a session, as long as it was not sent; how many
        edits are in no file, for a secret. May be called from threads. Raises
        InputError."""
        return self._drafts.keep(document.session, unsent(edits, document.runs))

    def drop(self) -> None:
        """Keep none of them, nor what was kept of these sessions before."""
        for held in self._held.values():
            with suppress(SigscopeError):  # a full disk: what is there stays
                self._drafts.drop(held.document.session)

    def close(self) -> None:
        """Let go of the files: whoever opens the sessions next goes on with them."""
        self._drafts.close()


def say(drafts: dict[Base, Edits]) -> str:
    """ "2 edits of step 2, 1 edit of run 3"."""
    return ", ".join(
        f"{figures.count(len(edits), 'edit')} of"
        f" {f'step {step}' if run is None else f'run {run}'}"
        for (step, run), edits in drafts.items()
    )


def _key(document: Document) -> tuple[str | None, str]:
    return document.session.path, document.session.id
