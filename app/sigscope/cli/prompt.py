"""Asking on the terminal what becomes of a held request."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from sigscope.cli.console import Console
from sigscope.edits.diff import diff
from sigscope.edits.notation import describe, parse
from sigscope.edits.records import Edit
from sigscope.engine.recording.holds import HeldRequest
from sigscope.errors import SigscopeError, UsageError
from sigscope.jsontext import JsonText
from sigscope.jsontext.layout import laid_out
from sigscope.reader import Reading
from sigscope.store.private import write_private
from sigscope.store.secrets.marker import shown_url
from sigscope.utf8 import to_bytes, to_text

HELP = (
    "r release · f release with the fixes · e edit in $EDITOR · d drop · s show"
    " · or an edit: drop /messages/2/..."
)
_MASK = "****"
"""At least so many stars are in the place of a key."""
ANSWERS = ("ask", "release", "fix", "drop")


class HoldPrompt:
    """Asks about one held request after the other."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._queue: deque[HeldRequest] = deque()
        self._edits: list[Edit] = []
        """Edits typed so far for the first one."""
        self._input = _Input()
        self._task: asyncio.Task[None] | None = None

    def ask(self, held: HeldRequest) -> None:
        """Ask when its turn comes."""
        self._queue.append(held)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    def forget(self, held: HeldRequest) -> None:
        """Its client has gone."""
        self._console.talk(f"held request {held.number}: the client has gone")

    def expire(self, held: HeldRequest) -> None:
        """Nobody has answered."""
        self._console.talk(
            f"held request {held.number}: sent as it came, after {held.limit:g} s"
        )

    async def _work(self) -> None:
        while self._queue:
            held = self._queue[0]
            self._edits.clear()
            if held.is_waiting:
                show_held(held, self._console)
            while not held.decision.done():
                line = await self._input.line_unless(held.decision)
                if held.decision.done():
                    break
                if line is None:
                    self._console.talk("no more input: the request is released")
                    held.release(self._edits)
                else:
                    await self._obey(held, line.strip())
            self._queue.popleft()

    async def _obey(self, held: HeldRequest, line: str) -> None:
        try:
            if line in ("r", "release"):
                held.release(self._edits)
            elif line in ("f", "fix"):
                self._fix(held)
            elif line in ("d", "drop"):
                held.drop()
            elif line in ("e", "edit"):
                await edit_in_editor(held)
            elif line in ("s", "show"):
                self._console.talk(_text(held))
            elif line in ("", "?", "help"):
                self._console.talk(HELP)
            else:
                self._add(held, line)
        except SigscopeError as error:
            self._console.talk(str(error))

    def _fix(self, held: HeldRequest) -> None:
        if not held.fixes:
            raise UsageError("the findings offer no fix")
        held.release((*self._edits, *held.fixes))

    def _add(self, held: HeldRequest, line: str) -> None:
        edits = [*self._edits, parse(line, held.outlook.reading.request_body.data)]
        held.edited(edits)
        self._edits = edits
        self._console.talk(f"{describe(edits[-1])}; r releases with {len(edits)} edits")


class _Input:
    """Lines of standard input, read only when somebody waits for one.

    By a thread: a terminal that asyncio reads becomes non-blocking for everybody who
    shares it, the editor too. With `os.read`: a thread that waits in `sys.stdin` would
    keep the program from ending.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._is_reading = False
        self._is_over = False
        self._news = asyncio.Event()

    async def line_unless(self, other: asyncio.Future[Any]) -> str | None:
        """The next line; None at the end of input, or when `other` is done first."""
        while b"\n" not in self._rest and not self._is_over:
            self._read()
            self._news.clear()
            news = asyncio.ensure_future(self._news.wait())
            await asyncio.wait({news, other}, return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if other.done():
                return None
        if not self._rest:
            return None
        line, _, self._rest = self._rest.partition(b"\n")
        return to_text(line)

    def _read(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            loop = asyncio.get_running_loop()
            Thread(target=self._wait, args=(loop,), daemon=True).start()

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            data = os.read(0, 65536)
        except OSError:
            data = b""
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._take, data)

    def _take(self, data: bytes) -> None:
        self._is_reading = False
        self._is_over = not data
        self._rest += data
        self._news.set()


def decide(held: HeldRequest, answer: str, tell: Callable[[str], None]) -> None:
    """What `--on-break` says instead of a person; nothing where one is to be asked."""
    for reason in held.why:
        tell(f"held: {reason}")
    if answer == "ask":
        return
    if answer == "drop":
        held.drop()
    elif answer == "fix" and held.fixes:
        try:
            held.release(held.fixes)
        except SigscopeError as error:
            tell(f"the fix does not fit, released as it was: {error}")
            held.release()
    else:
        held.release()


def show_held(held: HeldRequest, console: Console) -> None:
    """What is held, why, and what can be done."""
    request = held.request
    console.talk(
        f"\nheld request {held.number}: {request.method} {shown_url(request.url)}"
    )
    for reason in held.why:
        console.talk(f"  {reason}")
    for edit in held.fixes:
        console.talk(f"  fix: {edit.label or describe(edit)}")
    console.talk(HELP)


async def edit_in_editor(held: HeldRequest) -> None:
    """Let the user change the body in $EDITOR, and send what comes out of it.

    Only what was changed is changed in the request: the rest keeps its bytes. The file
    has no keys: they are stars there, and go out as they came. Raises UsageError where
    a value was changed that has one.
    """
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    shown = _shown_body(held)
    is_masked = shown != held.outlook.reading.request_body.data
    if is_masked and JsonText(shown).is_broken:
        raise UsageError("its body is no JSON and has a key in it: it cannot be edited")
    old = to_bytes(_text(held))
    with tempfile.TemporaryDirectory(prefix="sigscope-") as folder:
        path = Path(folder, "request.json")
        await asyncio.to_thread(write_private, path, old)
        try:
            process = await asyncio.create_subprocess_exec(*editor, str(path))
        except OSError as error:
            raise UsageError(f"{editor[0]} cannot be started: {error}") from error
        if await process.wait():
            raise UsageError(f"{editor[0]} ended with an error; nothing was changed")
        new = await asyncio.to_thread(path.read_bytes)
    if new == old:
        held.release()
        return
    original = JsonText(shown)
    if original.is_broken or JsonText(new).is_broken:
        if is_masked:
            raise UsageError("it has a key in it, and what was written is no JSON")
        held.release_body(new)
        return
    edits = diff(original, new)
    for edit in edits:
        if is_masked and _MASK in (edit.value or ""):
            raise UsageError(
                f"the value at {edit.pointer or '/'} has stars in it in place of a key;"
                f" nothing was changed. Give the whole value: set {edit.pointer} ..."
            )
    held.release(edits)


def _text(held: HeldRequest) -> str:
    data = _shown_body(held)
    shown = data if JsonText(data).is_broken else laid_out(data)
    return to_text(shown)


def _shown_body(held: HeldRequest) -> bytes:
    """Without secrets, as the screens and the session's file have it."""
    return Reading(held.shown().exchange).request_body.data
