"""What each tab is filled with: from the subject and the edits to documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from sigscope.errors import EditError
from sigscope.tui.json import documents
from sigscope.tui.json.documents import Documents
from sigscope.tui.json.source import Source
from sigscope.tui.json.subject import Mark, Offered, Side, Subject

if TYPE_CHECKING:
    from sigscope.tui.json.paneviews import PaneViews, Tab

DiffMode = Literal["edits", "request", "response"]

_NOTHING = "nothing is chosen"


class Filling:
    """Fills the views of a pane, and knows which of several things each shows."""

    def __init__(self, pane: PaneViews) -> None:
        self._pane = pane
        self._documents = Documents()
        self.as_sent = False
        """Whether the request is shown with the edits made."""
        self.raw_side: Literal["request", "response"] = "request"
        self.raw_wire = False
        """Whether Raw shows a body with its content codings on."""
        self.offered: tuple[Offered, ...] | None = None
        """Rows offered after the subject was; None: those of the subject."""
        self.wanted_mode: DiffMode | None = None
        """What the user wants compared; None: what is likeliest."""

    def fill(self, tab: Tab) -> None:
        """Bring one tab up to date."""
        fill = {
            "request": self._request,
            "response": self._response,
            "events": self._events,
            "raw": self._raw,
            "diff": self._diff,
        }
        fill[tab]()

    def request_marks(self) -> Mapping[str, tuple[Mark, ...]]:
        """Badges of the request, with that of a field that is being moved."""
        found = dict(self._marks("request"))
        for pointer, badges in self._pane.carried_marks().items():
            found[pointer] = (*badges, *found.get(pointer, ()))
        return found

    def _marks(self, side: Side) -> Mapping[str, tuple[Mark, ...]]:
        subject = self._pane.subject
        if subject is None:
            return {}
        return {
            pointer: badges
            for (at, _, pointer), badges in subject.marks.items()
            if at == side
        }

    def _response_marks(self, subject: Subject) -> Mapping[str, tuple[Mark, ...]]:
        """Badges of the response; those of its events stand where the events wrote."""
        found = dict(self._marks("response"))
        writes = subject.reading.event_writes
        for (side, number, source), badges in subject.marks.items():
            if side != "event" or number is None or number > len(writes):
                continue
            for write in writes[number - 1]:
                if write.source == source:
                    there = (*found.get(write.pointer, ()), *badges)
                    found[write.pointer] = tuple(dict.fromkeys(there))
        return found

    def _request(self) -> None:
        subject, tree = self._pane.subject, self._pane.request_tree
        if subject is None:
            tree.show(None, note=_NOTHING)
            return
        title = documents.request_title(subject.base)
        if self.as_sent:
            source, note = self._edited()
            title = f"as sent {self._pane.symbols.dot} {title}"
            tree.show(source, title=title, note=note, marks=self._marks("request"))
            return
        tree.show(
            self._documents.request(subject.base),
            title=title,
            note=documents.request_note(subject.base),
            marks=self.request_marks(),
            can_switch=True,
            edits=self._pane.edits,
            offered=subject.offered if self.offered is None else self.offered,
        )

    def _edited(self) -> tuple[Source | None, str]:
        """The request as it would be sent, or why there is none."""
        subject = self._pane.subject
        assert subject is not None
        try:
            source = self._documents.edited(subject.base, self._pane.edits)
        except EditError as error:
            return None, str(error)
        return source, documents.request_note(subject.base)

    def _response(self) -> None:
        subject, tree = self._pane.subject, self._pane.response_tree
        if subject is None:
            tree.show(None, note=_NOTHING)
            return
        tree.show(
            self._documents.response(subject.reading),
            title=documents.response_title(subject.reading),
            note=documents.response_note(subject.reading),
            marks=self._response_marks(subject),
        )

    def _events(self) -> None:
        subject, view = self._pane.subject, self._pane.events_view
        if subject is None:
            view.show(None, {}, _NOTHING)
            return
        marks: dict[int, dict[str, tuple[Mark, ...]]] = {}
        for (side, number, pointer), badges in subject.marks.items():
            if side == "event" and number is not None:
                marks.setdefault(number, {})[pointer] = badges
        note = "the response was not streamed; see Response"
        if subject.reading.exchange.response is None:
            note = documents.response_note(subject.reading)
        view.show(subject.reading, marks, note)

    def _raw(self) -> None:
        subject, view = self._pane.subject, self._pane.raw_view
        if subject is None:
            view.show(b"", note=_NOTHING)
            return
        if self.raw_side == "request":
            reading, decoded = subject.base, subject.base.request_body
            request = reading.exchange.request
            wire = request.body.raw if request else b""
            note = documents.request_note(reading)
        else:
            reading, decoded = subject.reading, subject.reading.response_body
            response = reading.exchange.response
            wire = response.body.raw if response else b""
            note = documents.response_note(reading)
        data = wire if self.raw_wire else decoded.data
        if self.raw_side == "request" and self.as_sent and not self.raw_wire:
            source, said = self._edited()
            data, note = (source.document.raw, note) if source else (b"", said)
        head = documents.head_lines(reading, self.raw_side)
        remarks = tuple(f"! {remark}" for remark in decoded.remarks)
        view.show(data, (*remarks, *head), note)

    def _diff(self) -> None:
        subject, mode = self._pane.subject, self.diff_mode
        arrow = self._pane.symbols.arrow
        old: Source | None = None
        new: Source | None = None
        title = ""
        note = "nothing to compare: no edit is on, and there is no parent run"
        if subject is not None and mode == "edits":
            old = self._documents.request(subject.base)
            new, note = self._edited()
            title = f"as recorded {arrow} as sent"
        elif subject is not None and subject.parent is not None:
            make = self._documents.request
            if mode == "response":
                make = self._documents.response
            old, new = make(subject.parent), make(subject.reading)
            title = f"{subject.parent_title or 'parent'} {arrow} {subject.title}"
            note = f"one of the two has no {mode} that is JSON"
        self._pane.diff_view.show(old, new, title=title, note=note)

    # --- From tab to tab -------------------------------------------------------------

    def look_up_in_raw(self, tab: Tab) -> None:
        """Make Raw show what the cursor of another tab is on."""
        subject = self._pane.subject
        if subject is None or tab not in ("request", "response", "events"):
            return
        offset = self._offset_in(tab, subject)
        side: Literal["request", "response"]
        side = "request" if tab == "request" else "response"
        if side != self.raw_side:
            self.raw_side = side
            self._raw()
        if offset is not None and not self.raw_wire:
            self._pane.raw_view.go_to(offset)

    def _offset_in(self, tab: Tab, subject: Subject) -> int | None:
        """Where in the decoded body the thing under the cursor begins."""
        if tab == "events":
            entry = self._pane.events_view.list.entry
            return entry.item.start if entry else None
        tree = self._pane.request_tree if tab == "request" else self._pane.response_tree
        leaf, source = tree.leaf(), tree.source
        if tab == "response" and subject.reading.is_streamed:
            return None
        if leaf is None or leaf.node is None or leaf.node.parent is None:
            return None
        if source is None or not source.document.encoding.is_utf8:
            return None
        return leaf.node.begin

    def place_in_raw(self) -> tuple[Side, int | None, str] | None:
        """The node, or the event, at the cursor of Raw; None where there is none."""
        subject, offset = self._pane.subject, self._pane.raw_view.offset_under_cursor
        if subject is None or offset is None or self.raw_wire:
            return None
        if self.raw_side == "response" and subject.reading.is_streamed:
            for event in subject.reading.events:
                if offset < event.end:
                    return "event", event.number, ""
            return None
        if self.raw_side == "request":
            source = None if self.as_sent else self._documents.request(subject.base)
        else:
            source = self._documents.response(subject.reading)
        if source is None or not source.document.encoding.is_utf8:
            return None
        return self.raw_side, None, source.pointer(source.node_at(offset))

    # --- Diff ------------------------------------------------------------------------

    @property
    def diff_modes(self) -> tuple[DiffMode, ...]:
        """What can be compared here."""
        modes: list[DiffMode] = ["edits"] if self._pane.edits else []
        subject = self._pane.subject
        if subject is not None and subject.parent is not None:
            modes += ["request", "response"]
        return tuple(modes)

    @property
    def diff_mode(self) -> DiffMode | None:
        """What is compared; None if nothing can be."""
        modes = self.diff_modes
        if self.wanted_mode in modes:
            return self.wanted_mode
        return modes[0] if modes else None

    def next_diff_mode(self) -> None:
        """Compare the next thing that can be compared."""
        modes, mode = self.diff_modes, self.diff_mode
        if mode is not None:
            self.wanted_mode = modes[(modes.index(mode) + 1) % len(modes)]

    # --- What the border says --------------------------------------------------------

    def raw_words(self) -> list[str]:
        """Which bytes Raw shows, and where the cursor is in them."""
        raw = self._pane.raw_view
        words: list[str] = [self.raw_side]
        if self.raw_wire:
            words.append("as on the wire")
        elif self.raw_side == "request" and self.as_sent:
            words.append("as sent")
        offset = raw.offset_under_cursor
        if offset is not None:
            words.append(f"byte {offset:,} of {len(raw.data):,}")
        return words

    def diff_words(self) -> list[str]:
        """What Diff compares, how much differs, and where the cursor is."""
        view, mode, subject = self._pane.diff_view, self.diff_mode, self._pane.subject
        if mode in ("request", "response") and subject is not None:
            against = subject.parent_title or "its parent"
            first = f"{mode} against {against}"
        else:
            first = mode or ""
        old, new = view.place
        place = old if old is not None else new
        return [word for word in (first, view.said, place) if word]
