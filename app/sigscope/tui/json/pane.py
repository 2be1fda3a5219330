"""The JSON pane: Request, Response, Events, Raw, Diff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message

from sigscope.edits.records import Edit
from sigscope.tui.json import paths
from sigscope.tui.json.copies import Copied
from sigscope.tui.json.diffview import DiffView
from sigscope.tui.json.events import EventsView, described
from sigscope.tui.json.fieldeditor import CARRIED, Changing
from sigscope.tui.json.paneviews import TABS, Tab
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.raw import RawView
from sigscope.tui.json.sheets import Sheet
from sigscope.tui.json.subject import Mark, Offered, Side
from sigscope.tui.json.tree import JsonTree
from sigscope.utf8 import readable


class JsonPane(Changing):
    """Shows `subject` with `edits`; tells what the user chose, toggled and copied."""

    NAME = "4 JSON"
    HELP = (
        "What was sent and what came back. Request: a check box stands before each"
        " field; space leaves it out or takes it in, also a field that is not there"
        " but could be (dimmed, with an empty box). e edits the value under the cursor"
        " in $EDITOR, i in place. m marks a field to be moved, M to be copied; enter"
        " puts it where the cursor is: into what is unfolded or empty, else beside it;"
        " esc forgets it. Response: the answer as assembled."
        " Events: the stream, one event after the other. Raw: the bytes. Diff: what"
        " the edits change, or a run against what it was made from."
    )

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("greater_than_sign,ctrl+right", "tab(1)", "Next tab", False,
                id="json.next-tab", tooltip="Next tab"),
        Binding("less_than_sign,ctrl+left", "tab(-1)", "Previous tab", False,
                id="json.previous-tab", tooltip="Previous tab"),
        Binding("slash", "search", "Search", id="json.search",
                tooltip="Search keys and values, folded ones too; re: for a pattern"),
        Binding("n", "next(1)", "Next", False, id="json.next",
                tooltip="Next match; in Diff, next difference"),
        Binding("N", "next(-1)", "Previous", False, id="json.previous",
                tooltip="Previous match, or difference"),
        Binding("full_stop", "path", "Go to path", False, id="json.path",
                tooltip="Go to a path, or to a field by its name"),
        Binding("i", "edit", "Edit value", False, id="json.edit",
                tooltip="Give the field another value"),
        Binding("e", "outside", "Edit in $EDITOR", False, id="json.editor",
                tooltip="Edit the value in $EDITOR: strings as plain text, JSON inside"
                " a string and everything else as JSON"),
        Binding("m", "carry('move')", "Move", False, id="json.move",
                tooltip="Mark the field to be moved; enter puts it at the cursor"),
        Binding("M", "carry('copy')", "Copy to", False, id="json.copy-to",
                tooltip="Mark the field to be copied; enter puts it at the cursor"),
        Binding("enter", "put", "Put here", id="json.put", priority=True,
                tooltip="Put the marked field here: into what is unfolded or empty,"
                " else before the element, or beside the member"),
        Binding("p", "preview", "As sent", False, id="json.preview",
                tooltip="Show the request with the edits made, or as recorded"),
        Binding("a", "author", "Written by", False, id="json.author",
                tooltip="Go to the event that wrote this field"),
        Binding("r", "side", "Other side", False, id="json.side",
                tooltip="In Raw: request or response; in Diff: what is compared"),
        Binding("v", "wire", "As on the wire", False, id="json.wire",
                tooltip="In Raw: as on the wire, or content codings taken off"),
        Binding("left_square_bracket", "event(-1)", "Event", False,
                id="json.previous-event", tooltip="Previous event"),
        Binding("right_square_bracket", "event(1)", "Event", False,
                id="json.next-event", tooltip="Next event"),
        Binding("y", "copy_chord", "Copy", False, id="json.copy",
                tooltip="yy copies the row, yv the value, yp the path"),
        Binding("escape", "quiet", "Clear search", False, id="json.quiet",
                tooltip="Forget the marked field, or what was searched for"),
    ]  # fmt: skip

    @dataclass
    class EditsChanged(Message):
        """The user toggled or edited: the full new set."""

        edits: tuple[Edit, ...]
        label: str
        """What was done, in words; for the history."""

    @dataclass
    class EditorWanted(Message):
        """A value is to be edited in the user's editor; the answer goes to
        `edited_outside`."""

        sheet: Sheet

    @dataclass
    class NodeChosen(Message):
        """The user moved to another node."""

        side: Side
        event: int | None
        pointer: str

    @dataclass
    class TabShown(Message):
        """Another tab is shown."""

        name: Tab

    @dataclass
    class DiffMoved(Message):
        """The cursor of the Diff tab stands elsewhere."""

        side: Side
        pointer: str | None
        """In what was; in what is new, where it was not. None: nowhere."""

    @dataclass
    class CopyRequested(Message):
        """Something is to go to the clipboard."""

        text: str
        what: str
        """What it is, in words."""

    @dataclass
    class MarkChosen(Message):
        """The user clicked a badge."""

        mark: Mark

    _chord = False
    """Whether the first key of yy, yv, yp was pressed."""

    def tab_shown(self, tab: Tab) -> None:
        self.post_message(self.TabShown(tab))

    def edits_changed(self, edits: tuple[Edit, ...], label: str) -> None:
        self.post_message(self.EditsChanged(edits, label))

    def editor_wanted(self, sheet: Sheet) -> None:
        self.post_message(self.EditorWanted(sheet))

    # --- From the views --------------------------------------------------------------

    @on(JsonTree.Moved)
    def _tree_moved(self, message: JsonTree.Moved) -> None:
        message.stop()
        self._tell_node(message.tree)
        self.retitle_soon()

    def _tell_node(self, tree: JsonTree) -> None:
        leaf = tree.leaf()
        if leaf is None:
            return
        if tree.id == "event":
            number = self.events_view.number
            self.post_message(self.NodeChosen("event", number, leaf.pointer))
        else:
            side = cast(Side, tree.id)
            self.post_message(self.NodeChosen(side, None, leaf.pointer))

    @on(JsonTree.Switched)
    def _tree_switched(self, message: JsonTree.Switched) -> None:
        message.stop()
        toggled = message.toggled
        self.post_message(self.EditsChanged(toggled.edits, toggled.label))

    @on(JsonTree.MarkHit)
    def _mark_hit(self, message: JsonTree.MarkHit) -> None:
        message.stop()
        if message.mark.target is CARRIED:
            self.forget_carried()
        else:
            self.post_message(self.MarkChosen(message.mark))

    @on(JsonTree.Reshaped)
    def _tree_reshaped(self, message: JsonTree.Reshaped) -> None:
        message.stop()
        if self.carried is not None:
            self.retitle_soon()

    @on(JsonTree.Ready)
    def _tree_ready(self, message: JsonTree.Ready) -> None:
        message.stop()
        self.retitle()

    @on(EventsView.EventShown)
    def _event_shown(self, message: EventsView.EventShown) -> None:
        message.stop()
        if message.number is not None:
            self.post_message(self.NodeChosen("event", message.number, ""))
        self.retitle_soon()

    @on(RawView.Moved)
    def _raw_moved(self, message: RawView.Moved) -> None:
        message.stop()
        self.retitle_soon()

    @on(RawView.Chosen)
    def _raw_chosen(self, message: RawView.Chosen) -> None:
        message.stop()
        place = self.filling.place_in_raw()
        if place is not None and self.show_node(*place):
            self.focus()
            self.post_message(self.NodeChosen(*place))

    @on(DiffView.Moved)
    @on(DiffView.Compared)
    def _diff_moved(self, message: DiffView.Moved | DiffView.Compared) -> None:
        message.stop()
        self.retitle_soon()
        old, new = self.diff_view.place
        side: Side = "response" if self.filling.diff_mode == "response" else "request"
        self.post_message(self.DiffMoved(side, new if old is None else old))

    # --- For the screen --------------------------------------------------------------

    def show_node(self, side: Side, event: int | None, pointer: str) -> bool:
        """Show a node: open its tab, unfold down to it, put the cursor there. Posts
        nothing but `TabShown`. False if there is no such node."""
        if side == "event":
            self.tab = "events"
            self.fill()
            found = event is not None and self.events_view.go_to(event, pointer)
        else:
            self.tab = cast(Tab, side)
            self.fill()
            tree = self.request_tree if side == "request" else self.response_tree
            leaf = tree.leaf()
            found = bool(leaf and leaf.pointer == pointer) or tree.go_to(pointer)
        self.retitle()
        return found

    def goto(self, path: str) -> bool:
        """Go to a pointer, or to the first field whose path is like the text:
        "messages 2 content", "opaque". False if there is none."""
        found = self.candidates(path, most=1)
        tree = self.shown_tree
        if not found or tree is None:
            return False
        went = tree.go_to(found[0])
        if went:
            self._tell_node(tree)
            self.retitle()
        return went

    def candidates(self, path: str, most: int = 20) -> list[str]:
        """Pointers in the document on show that a text may mean, the likeliest
        first."""
        tree = self.shown_tree
        if tree is None or tree.source is None:
            return []
        found = paths.candidates(tree.source, path, most)
        if tree.overlay is not None:
            offered = paths.among(tree.overlay.pointers(), path)
            found = paths.merged(found, offered, path)[:most]
        return found

    def search(self, text: str, *, jump: bool = True) -> None:
        """Search the tab on show; "re:" begins a regular expression, an empty text
        ends the search."""
        self.seeking.begin(text, jump=jump)

    def next_match(self, by: int) -> None:
        """To the next or previous match."""
        self.seeking.step(by)

    def step_event(self, by: int) -> None:
        """To the next or previous event; opens the tab."""
        self.tab = "events"
        self.fill()
        self.events_view.step(by)

    def copy_of(self, what: str) -> Copied | None:
        """The "row", "value" or "path" under the cursor, for the clipboard."""
        if self.tab == "events" and not self.events_view.event_tree.has_focus:
            entry = self.events_view.list.entry
            if entry is None:
                return None
            name = f"event {entry.number}" if entry.number else entry.kind
            text = name if what == "path" else described(entry)
            return Copied(text, f"{what} of {name}")
        if self.shown_tree is not None:
            return self.shown_tree.copied(what)
        if self.tab == "raw":
            row = self.raw_view.row_under_cursor
            offset = self.raw_view.offset_under_cursor
            text = str(offset or 0) if what == "path" else readable(row)
            return Copied(text, f"{what} at byte {offset or 0}")
        old, new = self.diff_view.place
        place = old if old is not None else new
        return Copied(place, "path") if place is not None else None

    # --- Actions ---------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something in the tab on show."""
        tabs = {
            "preview": ("request", "raw"),
            "edit": ("request",),
            "outside": ("request",),
            "carry": ("request",),
            "author": ("response",),
            "side": ("raw", "diff"),
            "wire": ("raw",),
            "path": ("request", "response", "events"),
        }.get(action)
        if action == "quiet":
            return self.seeking.is_on or self.carried is not None
        if action == "put":
            return self.can_put
        return tabs is None or self.tab in tabs

    def action_tab(self, by: int) -> None:
        """Next or previous tab."""
        self.tab = TABS[(TABS.index(self.tab) + by) % len(TABS)]

    def action_show_tab(self, name: str) -> None:
        """A click on a tab."""
        if name in TABS:
            self.tab = name
            self.focus()

    def action_search(self) -> None:
        """Ask what to search for."""
        self.query_one(Prompt).ask("search", self.seeking.text)

    def action_path(self) -> None:
        """Ask where to go."""
        self.query_one(Prompt).ask("path", "")

    @on(Prompt.Typed)
    def _typed(self, message: Prompt.Typed) -> None:
        message.stop()
        if message.purpose == "search":
            self.search(message.text, jump=False)

    @on(Prompt.Answered)
    def _answered(self, message: Prompt.Answered) -> None:
        message.stop()
        self.focus()
        if message.text is None:
            if message.purpose == "search":
                self.search("")
        elif message.purpose == "search":
            self.search(message.text)
        elif message.purpose == "path":
            if message.text and not self.goto(message.text):
                self.app.notify(f"no field like {message.text!r} here", timeout=4)
        elif message.purpose == "name":
            self.put_named(message.text)
        else:
            self.set_value(message.text)

    def action_next(self, by: int) -> None:
        """Next match; in Diff without a search, next difference."""
        if self.tab == "diff" and not self.seeking.is_on:
            self.diff_view.step(by)
        else:
            self.next_match(by)

    def action_quiet(self) -> None:
        """Forget the marked field; without one, what was searched for."""
        if self.carried is not None:
            self.forget_carried()
        else:
            self.search("")

    def action_preview(self) -> None:
        """As sent, or as recorded."""
        self.filling.as_sent = not self.filling.as_sent
        self.refill("request", "raw")

    def action_side(self) -> None:
        """The other side of the exchange; the next pair to compare."""
        if self.tab == "raw":
            is_request = self.filling.raw_side == "request"
            self.filling.raw_side = "response" if is_request else "request"
            self.refill("raw")
        else:
            self.filling.next_diff_mode()
            self.refill("diff")

    def action_wire(self) -> None:
        """With content codings, or without."""
        self.filling.raw_wire = not self.filling.raw_wire
        self.refill("raw")

    def action_event(self, by: int) -> None:
        """Next or previous event."""
        self.step_event(by)

    def action_author(self) -> None:
        """To the event that wrote the field under the cursor."""
        leaf = self.response_tree.leaf()
        assembler = self.subject.reading.assembler if self.subject else None
        if leaf is None:
            return
        if assembler is None:
            self.app.notify("the response was not streamed: it came in one piece")
            return
        writes = assembler.authors(leaf.pointer)
        if not writes:
            self.app.notify(f"no event is known to have written {leaf.pointer or '/'}")
            return
        first, numbers = writes[0], sorted({write.event for write in writes})
        if len(numbers) > 1:
            last = numbers[-1]
            self.app.notify(
                f"{leaf.pointer or 'the whole'} was written by {len(numbers):,} "
                f"events, from {numbers[0]:,} to {last:,}",
                timeout=4,
            )
        if self.show_node("event", first.event, first.source):
            self.post_message(self.NodeChosen("event", first.event, first.source))

    # --- Copying ---------------------------------------------------------------------

    def action_copy_chord(self) -> None:
        """The first key of yy, yv, yp."""
        self._chord = True

    def action_copy(self, what: str) -> None:
        """Copy the "row", "value" or "path" under the cursor."""
        found = self.copy_of(what)
        if found is not None:
            self.post_message(self.CopyRequested(found.text, found.what))

    def on_key(self, event: events.Key) -> None:
        """Chords: both keys are taken here, so that they may come in one breath."""
        if self.has_to_wait(event):
            return
        if not self._chord:
            if self._begins_chord(event):
                self._chord = True
                event.stop()
                event.prevent_default()
            return
        self._chord = False
        what = {"y": "row", "v": "value", "p": "path"}.get(event.key)
        if what is not None:
            event.stop()
            event.prevent_default()
            self.action_copy(what)

    def _begins_chord(self, event: events.Key) -> bool:
        active = self.screen.active_bindings.get(event.key)
        return active is not None and active.binding.id == "json.copy"

    def offer(self, offered: tuple[Offered, ...]) -> None:
        """Show other offered rows without another subject."""
        self.filling.offered = offered
        self.request_tree.switch(self.edits, offered)
