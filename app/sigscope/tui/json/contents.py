"""What each tab shows: from the subject and the edits to pages for the views.

Plain Python: it knows which of several things each tab is on, and no widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from sigscope.edits.records import Edit
from sigscope.errors import EditError
from sigscope.reader import Reading
from sigscope.tui.json import documents
from sigscope.tui.json.documentmodel import DocumentModel, TreePage
from sigscope.tui.json.documents import Documents
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import (
    NO_CHIPS,
    Chips,
    JsonSubject,
    NodeMark,
    Offered,
    Side,
)
from sigscope.tui.symbols import UNICODE

Tab = Literal["request", "response", "events", "raw", "diff"]
TABS: tuple[Tab, ...] = get_args(Tab)
DiffMode = Literal["edits", "request", "response", "mended"]
RawSide = Literal["request", "response"]
Badges = Mapping[str, tuple[NodeMark, ...]]

_NOTHING = "no step is on show yet"


class Stream(NamedTuple):
    """What the tab of the events shows."""

    reading: Reading | None
    marks: Mapping[int, Badges]
    note: str
    chips: Chips = NO_CHIPS


class RawPage(NamedTuple):
    """What the tab of the bytes shows."""

    data: bytes
    head: tuple[str, ...]
    note: str


class Pair(NamedTuple):
    """What the tab of differences shows."""

    old: JsonSource | None
    new: JsonSource | None
    title: str
    note: str
    chips: Chips = NO_CHIPS


class TabContents:
    """What is in the tabs of a pane. The pane sets the first three fields."""

    def __init__(self) -> None:
        self.subject: JsonSubject | None = None
        self.edits: tuple[Edit, ...] = ()
        self.symbols = UNICODE
        self._documents = Documents()
        self.as_sent = False
        """Whether the request is shown with the edits made."""
        self.raw_side: RawSide = "request"
        self.raw_wire = False
        """Whether Raw shows a body with its content codings on."""
        self.offered: tuple[Offered, ...] | None = None
        """Rows offered after the subject was; None: those of the subject."""
        self._wanted_mode: DiffMode | None = None
        """What the user wants compared; None: what is likeliest."""

    def forget_wishes(self) -> None:
        """Another exchange is shown."""
        self._wanted_mode = self.offered = None

    # --- Pages -----------------------------------------------------------------------

    def request(self, carried: Badges) -> TreePage:
        """The request; `carried` are badges of a field that is being moved."""
        subject = self.subject
        if subject is None:
            return TreePage(note=_NOTHING)
        title = documents.request_title(subject.base)
        if self.as_sent:
            source, note = self._edited(subject)
            title = f"as sent {self.symbols.dot} {title}"
            marks = self._marks("request")
            return TreePage(
                source=source,
                title=title,
                note=note,
                marks=marks,
                chips=subject.chips,
            )
        return TreePage(
            source=self._documents.request(subject.base),
            title=title,
            note=documents.request_note(subject.base),
            marks=self.request_marks(carried),
            chips=subject.chips,
            can_switch=True,
            edits=self.edits,
            offered=subject.offered if self.offered is None else self.offered,
        )

    def request_marks(self, carried: Badges) -> Badges:
        """Badges of the request, with those of a field that is being moved."""
        found = dict(self._marks("request"))
        for pointer, badges in carried.items():
            found[pointer] = (*badges, *found.get(pointer, ()))
        return found

    def _marks(self, side: Side) -> Badges:
        if self.subject is None:
            return {}
        return {
            pointer: badges
            for (at, _, pointer), badges in self.subject.marks.items()
            if at == side
        }

    def _response_marks(self, subject: JsonSubject) -> Badges:
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

    def _edited(self, subject: JsonSubject) -> tuple[JsonSource | None, str]:
        """The request as it would be sent, or why there is none."""
        try:
            source = self._documents.edited(subject.base, self.edits)
        except EditError as error:
            return None, str(error)
        return source, documents.request_note(subject.base)

    def response(self) -> TreePage:
        """The answer, as assembled."""
        subject = self.subject
        if subject is None:
            return TreePage(note=_NOTHING)
        return TreePage(
            source=self._documents.response(subject.reading),
            title=documents.response_title(subject.reading),
            note=documents.response_note(subject.reading),
            marks=self._response_marks(subject),
            chips=subject.chips,
        )

    def stream(self) -> Stream:
        """The events of the answer."""
        subject = self.subject
        if subject is None:
            return Stream(None, {}, _NOTHING)
        marks: dict[int, dict[str, tuple[NodeMark, ...]]] = {}
        for (side, number, pointer), badges in subject.marks.items():
            if side == "event" and number is not None:
                marks.setdefault(number, {})[pointer] = badges
        note = "the response was not streamed; see Response"
        if subject.reading.exchange.response is None:
            note = documents.response_note(subject.reading)
        return Stream(subject.reading, marks, note, subject.chips)

    def raw(self) -> RawPage:
        """The bytes of one side."""
        subject = self.subject
        if subject is None:
            return RawPage(b"", (), _NOTHING)
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
            source, said = self._edited(subject)
            data, note = (source.document.raw, note) if source else (b"", said)
        head = documents.head_lines(reading, self.raw_side)
        remarks = tuple(f"! {remark}" for remark in decoded.remarks)
        return RawPage(data, (*remarks, *head), note)

    def pair(self) -> Pair:
        """Two documents to compare."""
        subject, mode = self.subject, self.diff_mode
        arrow = self.symbols.arrow
        chips = subject.chips if subject else NO_CHIPS
        if subject is not None and mode == "edits":
            new, note = self._edited(subject)
            old = self._documents.request(subject.base)
            return Pair(old, new, f"as recorded {arrow} as sent", note, chips)
        if subject is not None and subject.client is not None and mode == "mended":
            old = self._documents.request(subject.client)
            new = self._documents.request(subject.base)
            note = "one of the two requests is not JSON; see Raw"
            return Pair(old, new, f"client sent {arrow} mended", note, chips)
        if subject is not None and subject.parent is not None:
            make = self._documents.request
            if mode == "response":
                make = self._documents.response
            title = f"{subject.parent_title or 'parent'} {arrow} {subject.title}"
            note = f"one of the two has no {mode} that is JSON"
            old, new = make(subject.parent), make(subject.reading)
            return Pair(old, new, title, note, chips)
        note = "nothing to compare: no edit is on, and there is no parent run"
        return Pair(None, None, "", note)

    # --- From tab to tab -------------------------------------------------------------

    def offset_in_raw(self, side: RawSide, shown: DocumentModel) -> int | None:
        """Where in the decoded body the node begins that is chosen in the tree of this
        side; None for what does not stand there as it is shown."""
        subject, source, leaf = self.subject, shown.source, shown.leaf()
        if side == "response" and subject is not None and subject.reading.is_streamed:
            return None
        if leaf is None or leaf.node is None or leaf.node.parent is None:
            return None
        if source is None or not source.document.encoding.is_utf8:
            return None
        return leaf.node.begin

    def place_in_raw(self, offset: int | None) -> tuple[Side, int | None, str] | None:
        """The node, or the event, at an offset of Raw; None where there is none."""
        subject = self.subject
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

    def other_raw_side(self) -> None:
        """Show the other side of the exchange."""
        self.raw_side = "response" if self.raw_side == "request" else "request"

    # --- Diff ------------------------------------------------------------------------

    @property
    def diff_modes(self) -> tuple[DiffMode, ...]:
        """What can be compared here."""
        modes: list[DiffMode] = ["edits"] if self.edits else []
        if self.subject is not None and self.subject.parent is not None:
            modes += ["request", "response"]
        if self.subject is not None and self.subject.client is not None:
            modes.append("mended")
        return tuple(modes)

    @property
    def diff_mode(self) -> DiffMode | None:
        """What is compared; None if nothing can be."""
        modes = self.diff_modes
        if self._wanted_mode in modes:
            return self._wanted_mode
        return modes[0] if modes else None

    def next_diff_mode(self) -> None:
        """Compare the next thing that can be compared."""
        modes, mode = self.diff_modes, self.diff_mode
        if mode is not None:
            self._wanted_mode = modes[(modes.index(mode) + 1) % len(modes)]

    # --- In words --------------------------------------------------------------------

    def raw_words(self, offset: int | None, size: int) -> list[str]:
        """Which bytes Raw shows, and where the cursor is in them."""
        words: list[str] = [self.raw_side]
        if self.raw_wire:
            words.append("as on the wire")
        elif self.raw_side == "request" and self.as_sent:
            words.append("as sent")
        if offset is not None:
            words.append(f"byte {offset:,} of {size:,}")
        return words

    def diff_words(self, said: str, place: str | None) -> list[str]:
        """What Diff compares, how much differs, and where the cursor is."""
        mode, subject = self.diff_mode, self.subject
        if mode in ("request", "response") and subject is not None:
            against = subject.parent_title or "its parent"
            first = f"{mode} against {against}"
        elif mode == "mended":
            first = f"client sent {self.symbols.arrow} mended"
        else:
            first = mode or ""
        return [word for word in (first, said, place) if word]

    def author_of(self, pointer: str) -> tuple[int | None, str, str]:
        """The event that wrote a field of the response, where in it, and what to say;
        without an event, why there is none."""
        assembler = self.subject.reading.assembler if self.subject else None
        if assembler is None:
            return None, "", "the response was not streamed: it came in one piece"
        writes = assembler.authors(pointer)
        if not writes:
            return None, "", f"no event is known to have written {pointer or '/'}"
        numbers = sorted({write.event for write in writes})
        said = ""
        if len(numbers) > 1:
            said = (
                f"{pointer or 'the whole'} was written by {len(numbers):,} "
                f"events, from {numbers[0]:,} to {numbers[-1]:,}"
            )
        return writes[0].event, writes[0].source, said
