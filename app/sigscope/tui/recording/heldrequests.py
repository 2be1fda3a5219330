"""What is done to requests that the recorder holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sigscope.engine.recording.breakpoints import parse_breakpoint
from sigscope.engine.recording.holds import HeldRequest
from sigscope.engine.recording.host import Host
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.recording.heldsteps import HeldSteps

REASON = "refused by hand, in sigscope"


class HeldRequests:
    """Shows held requests as steps of the session; releases and refuses them."""

    def __init__(
        self,
        host: Host,
        waiting: HeldSteps,
        model: DebuggerModel,
        reader: SessionReader,
        desk: Desk,
    ) -> None:
        self._host = host
        self._waiting = waiting
        self._model = model
        self._reader = reader
        self._desk = desk
        self._told = set[int]()
        """Steps that were said to be held, and are."""
        self._is_leaving = False
        """Whether the user was asked, and leaves."""
        self._sent_from: int | None = None
        """The step whose request was sent with edits, as long as the step that it
        became is not in the file; that is gone to."""

    @property
    def on_show(self) -> HeldRequest | None:
        """The request on show, if it still waits for a decision."""
        selection = self._model.selection
        if selection is None or selection.run is not None:
            return None
        return self._waiting.held(selection.step)

    def look(self) -> None:
        """Take over what the recorder holds now."""
        model, now = self._model, self._host.state.held
        new = self._waiting.take(now, model.document.numbers)
        for step in self._told.difference(each.step for each in now):
            self._take_back(step)
        document = model.document.awaiting(self._waiting.steps)
        if document is not model.document:
            self._reader.read_again(document)
        model.arrange_facts()
        self._go_to_sent()
        for held in new:
            self._tell(held)

    def _go_to_sent(self) -> None:
        """The request with the edits is a step of its own: go there, unless the user
        went elsewhere meanwhile."""
        selection = self._model.selection
        if self._sent_from is None or selection is None:
            return
        if selection.step != self._sent_from:
            self._sent_from = None
            return
        document = self._model.document
        sent_as = document.step(self._sent_from).exchange.sent_as
        if sent_as is not None and sent_as in document.numbers:
            self._sent_from = None
            self._model.choose_step(sent_as)

    def _tell(self, held: HeldRequest) -> None:
        """A debugger stops where the break is, unless the user works on another."""
        self._told.add(held.step)
        why = "; ".join(held.why)
        names = ("recording.release", "recording.release-as-came", "recording.refuse")
        send, came, refuse = map(self._desk.key, names)
        self._desk.tell(
            f"{why}; its client waits: {send} sends it on, {came} as it came, {refuse}"
            " refuses it",
            title=_title(held.step),
            severity="warning",
            timeout=8,
        )
        if self.on_show is None:
            self._model.choose_step(held.step)

    def _take_back(self, step: int) -> None:
        """Nobody waits for a decision about it any more."""
        self._told.discard(step)
        self._desk.take_back(_title(step))

    def go_to_oldest(self) -> None:
        """To the one that has waited longest."""
        held = self._waiting.oldest()
        if held is None:
            self._desk.tell("no request waits", timeout=3)
        else:
            self._model.choose_step(held.step)

    # --- Deciding --------------------------------------------------------------------

    def release(self) -> None:
        """Send the one on show with its edits."""
        held = self.on_show
        if held is not None:
            # Those of the request, not of what the panes show: they may be behind.
            history = self._model.histories.get((held.step, None))
            self._release(held, history.edits if history else ())

    def release_as_came(self) -> None:
        """Send the one on show as it came."""
        if self.on_show is not None:
            self._release(self.on_show, ())

    def _release(self, held: HeldRequest, edits: tuple[Any, ...]) -> None:
        try:
            is_in_time = self._host.release(held, edits)
        except SigscopeError as error:
            self._desk.tell(
                str(error), title="Cannot be sent", severity="error", timeout=5
            )
            return
        if not is_in_time:
            self._tell_late(held)
            return
        words = "sent as it came; its answer appears here"
        if edits:
            count = figures.count(len(edits), "edit")
            words = f"sent with {count}, as a step of its own, which is gone to"
            self._sent_from = held.step
            # They are in the step that was sent; this one is what the client wrote.
            self._switch_off(held.step)
        self._done(held, words)

    def _switch_off(self, step: int) -> None:
        words = "edits off, for they were sent"
        if self._model.base == (step, None):
            self._model.take_edits((), words)
        else:
            self._model.histories[step, None].push((), words)

    def _tell_late(self, held: HeldRequest) -> None:
        """It was not this key that decided."""
        self._take_back(held.step)
        how = "its client is gone"
        if held.is_sent:
            how = "it was sent as it came"
        elif self._host.state.has_ended:
            how = "the recorder has ended, and it went with it"
        self._desk.tell(
            f"it waits no more: {how}",
            title=f"Step {held.step}",
            severity="warning",
            timeout=6,
        )
        self.look()

    async def refuse(self) -> None:
        """Answer the client with an error; nothing is sent."""
        from sigscope.tui.recording.asktext import AskText

        held = self.on_show
        if held is None:
            return
        dialog = AskText(
            "Refuse the request",
            "The client is answered with status 400 and these words; the request is not"
            " sent.",
            REASON,
            "Refuse",
        )
        reason = await self._desk.ask(dialog)
        if reason is None:
            return
        if self._host.refuse(held, reason or REASON):
            self._done(held, "refused: its client got status 400, nothing was sent")
        else:
            self._tell_late(held)

    def _done(self, held: HeldRequest, words: str) -> None:
        """The view stays with what was sent; others that wait are said. What the
        recorder says it holds is a moment behind."""
        self._take_back(held.step)
        others = sum(1 for each in self._host.state.held if each is not held)
        if others:
            key = self._desk.key("recording.waiting")
            words += f"; {figures.count(others, 'other')} held: {key}"
        self._desk.tell(words, title=f"Step {held.step}")
        self.look()

    # --- What is held ----------------------------------------------------------------

    def hold_next(self) -> None:
        """Hold the next one, or no longer."""
        wanted = not self._host.holding.hold_next
        self._host.hold_next(wanted)
        words = "is held" if wanted else "goes through"
        self._desk.tell(f"the next request {words}", timeout=3)

    def hold_all(self) -> None:
        """Hold every one, or no longer."""
        wanted = not self._host.holding.hold_all
        self._host.hold_all(wanted)
        words = "every request is held" if wanted else "requests go through"
        if not wanted and self._host.state.held:
            words += f"; {self._desk.key('recording.release')} sends on what waits"
        self._desk.tell(words, timeout=3)

    async def break_at(self) -> None:
        """Hold those that meet a condition."""
        from sigscope.tui.recording.asktext import AskText

        dialog = AskText(
            "Hold requests",
            "Conditions, with commas between them; none holds nothing. sig dropped (or"
            " lost, altered, cut, moved, bypass, earlier, foreign, duplicated), error,"
            " warning, rule CPC-1, model TEXT, path TEXT, body TEXT, all",
            ", ".join(self._host.state.breakpoints),
            "Hold",
            _conditions,
        )
        text = await self._desk.ask(dialog)
        if text is not None:
            self._host.break_at(_conditions(text))

    # --- Leaving ---------------------------------------------------------------------

    async def may_leave(self, may_lose: Callable[[], Any]) -> bool:
        """Whether the user agrees to end the recording while something is under way;
        then all that is held is sent. `may_lose`: asks about all else, is awaited."""
        from sigscope.tui.screens.question import Question

        if self._is_leaving:
            return True
        state = self._host.state
        client = state.client if state.client and state.client.code is None else None
        words = []
        if state.held:
            count = figures.count(len(state.held), "held request")
            words.append(f"{count} would be sent as it came.")
        if client is not None:
            words.append(
                f"{client.name} still runs: the recording goes on without the screens"
                " until it ends, or until Ctrl+C."
            )
        elif state.open > len(state.held):
            words.append("Answers that are on their way are waited for.")
        answer = "leave"
        if words:
            answers = [("stay", "Stay"), ("leave", "Leave")]
            if client is not None:
                answers.insert(1, ("end", f"End {client.name}"))
            dialog = Question("Leave the recording?", " ".join(words), answers)
            chosen = await self._desk.ask(dialog)
            answer = chosen or "stay"
        if answer == "stay" or not await may_lose():
            return False
        if answer == "end":
            self._host.end_client()
        self._host.let_go()
        self._is_leaving = True
        return True


def _title(step: int) -> str:
    return f"Step {step} is held"


def _conditions(text: str) -> tuple[Any, ...]:
    """Breakpoints by their texts. Raises UsageError."""
    parts = (part.strip() for part in text.split(","))
    return tuple(parse_breakpoint(part) for part in parts if part)
