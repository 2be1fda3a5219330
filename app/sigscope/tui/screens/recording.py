"""The debugger on a session that is being recorded: requests wait here to be edited."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from sigscope.engine.recording.breakpoints import parse_breakpoint
from sigscope.engine.recording.holds import Held
from sigscope.engine.recording.host import Host, HostState
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.recording.asking import AskText
from sigscope.tui.recording.bar import RecorderLine
from sigscope.tui.recording.output import OutputScreen
from sigscope.tui.recording.waiting import Waiting
from sigscope.tui.screens.asking import Question
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.views.facts import StepFacts

STATE_EVERY = 0.2
"""Seconds between two looks at the recorder."""
REASON = "refused by hand, in sigscope"


class RecordingScreen(DebuggerScreen):
    """Shows how the recorder stands; holds, releases and refuses requests."""

    CSS_PATH = "debugger.tcss"
    HELP = (
        "A client is being recorded. W holds its next request, A all of them, B those"
        " that meet a condition. A held request is a step that waits: every field has"
        " its check box, f applies a fix, the first line says what the simulator would"
        " answer. Y sends it with its edits, U as it came, X answers the client with an"
        " error instead. After a while it is sent as it came, so that the client does"
        " not hang. Whoever leaves lets all go."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("Y", "release", "Send on", id="recording.release",
                tooltip="Send the held request on show, with the edits made"),
        Binding("X", "refuse", "Refuse", id="recording.refuse",
                tooltip="Answer the client with an error; the request is not sent"),
        Binding("W", "hold_next", "Hold next", id="recording.hold-next",
                tooltip="Hold the next request, or no longer"),
        Binding("U", "release_as_came", "As it came", False,
                id="recording.release-as-came",
                tooltip="Send the held request on show as it came, without edits"),
        Binding("A", "hold_all", "Hold all", False, id="recording.hold-all",
                tooltip="Hold every request, or no longer"),
        Binding("B", "break_at", "Break at", False, id="recording.break",
                tooltip="Hold requests that meet a condition: sig dropped, error ..."),
        Binding("Q", "waiting", "Waiting", False, id="recording.waiting",
                tooltip="Go to the request that has waited longest"),
        Binding("V", "output", "Output", False, id="recording.output",
                tooltip="Show what the client says"),
    ]  # fmt: skip

    def __init__(self, host: Host, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.host = host
        self._waiting = Waiting()
        self._told_problems = 0
        self._has_ended = False
        """Whether the client's end was told."""
        self._is_leaving = False
        """Whether the user was asked, and leaves."""
        self._offered_for: Held | None = None

    def compose(self) -> ComposeResult:
        """The recorder's line above all."""
        yield RecorderLine().data_bind(DebuggerScreen.symbols)
        yield from super().compose()

    def on_mount(self) -> None:
        """Look at the recorder from now on."""
        self.look_at_recorder()
        self.set_interval(STATE_EVERY, self.look_at_recorder)

    # --- The recorder ----------------------------------------------------------------

    def look_at_recorder(self) -> None:
        """Take over how it stands."""
        state = self.host.state
        line = self.query_one(RecorderLine)
        if line.state != state:
            line.state = state
        for problem in state.problems[self._told_problems :]:
            self.notify(
                problem, title="Recorder", severity="warning", markup=False, timeout=12
            )
        self._told_problems = len(state.problems)
        self._look_at_client(state)
        new = self._waiting.take(state.held, self.document.numbers)
        self._await()
        self.facts = self._waiting.facts(self.facts)
        for held in new:
            self._tell_held(held)
        self._offer_keys()

    def _offer_keys(self) -> None:
        """The key line says what can be done now."""
        held = self._held_on_show
        if held is not self._offered_for:
            self._offered_for = held
            self.refresh_bindings()

    def _await(self) -> None:
        document = self.document.awaiting(self._waiting.steps)
        if document is not self.document:
            self.document = document
            self._read_again()

    def _tell_held(self, held: Held) -> None:
        """A debugger stops where the break is, unless the user works on another."""
        self.notify(
            "; ".join(held.why),
            title=f"Step {held.step} is held",
            severity="warning",
            markup=False,
            timeout=8,
        )
        if self._held_on_show is None:
            self.choose_step_number(held.step)

    def _look_at_client(self, state: HostState) -> None:
        client = state.client
        if client is None or client.code is None or self._has_ended:
            return
        self._has_ended = True
        self.notify(
            f"exit code {client.code}; V shows its output, q leaves",
            title=f"{client.name} has ended",
            severity="information" if client.code == 0 else "warning",
            markup=False,
            timeout=10,
        )

    def validate_facts(self, facts: tuple[StepFacts, ...]) -> tuple[StepFacts, ...]:
        """Rows of requests that wait say so."""
        return self._waiting.facts(facts)

    # --- Held requests ---------------------------------------------------------------

    @property
    def _held_on_show(self) -> Held | None:
        selection = self.selection
        if selection is None or selection.run is not None:
            return None
        return self._waiting.held(selection.step)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a request that waits can be released."""
        if action in ("release", "release_as_came", "refuse"):
            return self._held_on_show is not None
        if action == "bisect" and self._held_on_show is not None:
            return False  # runs belong to steps that are in the file
        if action == "output":
            return self.host.client is not None
        return super().check_action(action, parameters)

    def action_release(self) -> None:
        """Send it with its edits."""
        held = self._held_on_show
        if held is not None:
            is_shown = self.base == (held.step, None)
            self._release(held, self.edits if is_shown else ())

    def action_release_as_came(self) -> None:
        """Send it as it came."""
        if self._held_on_show is not None:
            self._release(self._held_on_show, ())

    def _release(self, held: Held, edits: tuple[Any, ...]) -> None:
        try:
            self.host.release(held, edits)
        except SigscopeError as error:
            self.notify(str(error), title="Cannot be sent", severity="error")
            return
        words = "sent as it came"
        if edits:
            words = (
                f"sent with {figures.count(len(edits), 'edit')}, as a step of its own"
            )
            # They are in the step that was sent; this one is what the client wrote.
            self.take_edits((), "sent")
        self._done(held, words)

    @work(exclusive=True, group="ask")
    async def action_refuse(self) -> None:
        """Do not send it."""
        held = self._held_on_show
        if held is None:
            return
        dialog = AskText(
            "Refuse the request",
            "The client is answered with status 400 and these words; the request is not"
            " sent.",
            REASON,
            "Refuse",
        )
        reason = await self.app.push_screen_wait(dialog)
        if reason is not None:
            self.host.refuse(held, reason or REASON)
            self._done(held, "refused")

    def _done(self, held: Held, words: str) -> None:
        self.notify(words, title=f"Step {held.step}", markup=False, timeout=4)
        following = next((h for h in self.host.state.held if h is not held), None)
        if following is not None:
            self.choose_step_number(following.step)
        self.look_at_recorder()

    def action_send(self) -> None:
        """A run, as in any session; a request that waits is no run."""
        if self._held_on_show is not None:
            self.notify(
                "this request is held: Y sends it on, with its edits; the line above"
                " says what the simulator would answer",
                timeout=6,
            )
        else:
            super().action_send()

    # --- What is held ----------------------------------------------------------------

    def action_hold_next(self) -> None:
        """The next one, or no longer."""
        wanted = not self.host.holding.hold_next
        self.host.hold_next(wanted)
        self.notify("the next request is held" if wanted else "it passes", timeout=3)

    def action_hold_all(self) -> None:
        """Every one, or no longer."""
        wanted = not self.host.holding.hold_all
        self.host.hold_all(wanted)
        self.notify("every request is held" if wanted else "they pass", timeout=3)

    @work(exclusive=True, group="ask")
    async def action_break_at(self) -> None:
        """By conditions."""
        now = ", ".join(self.host.state.breakpoints)
        dialog = AskText(
            "Hold requests",
            "Conditions, with commas between them; none holds nothing. sig dropped (or"
            " lost, altered, cut, moved, bypass, earlier, foreign, duplicated), error,"
            " warning, rule CPC-1, model TEXT, path TEXT, body TEXT, all",
            now,
            "Hold",
            _conditions,
        )
        text = await self.app.push_screen_wait(dialog)
        if text is not None:
            self.host.break_at(_conditions(text))

    def action_waiting(self) -> None:
        """To the one that has waited longest."""
        held = self._waiting.oldest()
        if held is None:
            self.notify("no request waits", timeout=3)
        else:
            self.choose_step_number(held.step)

    def action_output(self) -> None:
        """What the client says."""
        if self.host.client is not None:
            self.app.push_screen(OutputScreen(self.host.client))

    @on(RecorderLine.Hit)
    def _recorder_hit(self, message: RecorderLine.Hit) -> None:
        if message.target == "held":
            message.stop()
            self.action_waiting()
        elif message.target == "client":
            message.stop()
            self.action_output()

    # --- Leaving ---------------------------------------------------------------------

    def leave(self, *, is_out: bool) -> Any:
        """Out of the program; there is no list to go back to while it records."""
        if is_out:
            return super().leave(is_out=True)
        self.notify("q leaves, and ends the recording", timeout=4)
        return None

    async def may_leave(self) -> bool:
        """Whether the user agrees to end the recording while something is under way;
        then all that is held is sent."""
        if self._is_leaving:
            return True
        state = self.host.state
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
            chosen = await self.app.push_screen_wait(dialog)
            answer = chosen or "stay"
        if answer == "stay" or not await super().may_leave():
            return False
        if answer == "end":
            self.host.end_client()
        self.host.let_go()
        self._is_leaving = True
        return True


def _conditions(text: str) -> tuple[Any, ...]:
    """Breakpoints by their texts. Raises UsageError."""
    parts = (part.strip() for part in text.split(","))
    return tuple(parse_breakpoint(part) for part in parts if part)
