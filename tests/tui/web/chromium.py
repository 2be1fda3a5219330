"""A headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
from tests.patience import PATIENCE

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|[P\]].*?(?:\x07|\x1b\\)|.)", re.S
)


class Page:
    """One tab: what it asked for, what came over its sockets."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._session: str | None = None
        self._changed = asyncio.Event()
        self.asked: list[str] = []
        """URLs the page asked for."""
        self.written = b""
        """What the screens drew, as a terminal gets it."""
        self.complaints: list[str] = []
        """What the browser refused to load or could not run."""

    async def call(self, method: str, **params: object) -> Any:
        """Ask the browser for something."""
        self._number += 1
        message: dict[str, object] = {
            "id": self._number,
            "method": method,
            "params": params,
        }
        if self._session:
            message["sessionId"] = self._session
        answer = asyncio.get_running_loop().create_future()
        self._answers[self._number] = answer
        await self._socket.send_json(message)
        return await asyncio.wait_for(answer, PATIENCE)

    async def listen(self) -> None:
        """Take in what the browser tells, until it ends."""
        async for message in self._socket:
            if message.type is aiohttp.WSMsgType.TEXT:
                self._take(json.loads(message.data))
                self._changed.set()

    def _take(self, told: dict[str, Any]) -> None:
        if "id" in told:
            answer = self._answers.pop(told["id"])
            if not answer.done():
                answer.set_result(told.get("result", told.get("error")))
            return
        params = told.get("params", {})
        match told.get("method"):
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"])
            case "Network.webSocketCreated":
                self.asked.append(params["url"])
            case "Network.webSocketFrameReceived" if params["response"]["opcode"] == 2:
                self.written += base64.b64decode(params["response"]["payloadData"])
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"]))

    async def open(self, url: str) -> None:
        """Go to a page in a new tab."""
        made = await self.call("Target.createTarget", url="about:blank")
        found = await self.call(
            "Target.attachToTarget", targetId=made["targetId"], flatten=True
        )
        self._session = found["sessionId"]
        for domain in ("Network", "Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=1300, height=760, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        await self.call("Page.navigate", url=url)

    async def run(self, script: str) -> Any:
        """The value of some JavaScript."""
        found = await self.call("Runtime.evaluate", expression=script)
        return found["result"].get("value")

    async def save_picture(self, path: str) -> None:
        """Write what the page looks like, as PNG."""
        found = await self.call("Page.captureScreenshot")
        with open(path, "wb") as file:  # noqa: ASYNC230 - a test may wait
            file.write(base64.b64decode(found["data"]))

    async def type(self, text: str) -> None:
        """Press keys in the terminal."""
        await self.run("document.querySelector('.xterm-helper-textarea').focus()")
        for char in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=char)
            await self.call("Input.dispatchKeyEvent", type="keyUp")

    def text(self, since: int = 0) -> str:
        """What was drawn from a point on, without colours and movements."""
        drawn = self.written[since:].decode("utf-8", "replace")
        return " ".join(_ESCAPES.sub(" ", drawn).split())

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something the browser tells of."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    self._changed.clear()
                    await self._changed.wait()
                    assert not self.complaints, f"{what}: {self.complaints}"
        except TimeoutError:
            raise AssertionError(f"{what}: {self.text()[-4000:]}") from None


@asynccontextmanager
async def browser(folder: Path, *options: str) -> AsyncIterator[Page]:
    """Start it with a profile of its own; ends with the block."""
    assert PROGRAM is not None
    process = await asyncio.create_subprocess_exec(
        PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu",
        "--enable-unsafe-swiftshader", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update",
        f"--user-data-dir={folder}", "--remote-debugging-port=0",
        *options, "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        url = await asyncio.wait_for(_address(process), PATIENCE)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(url, max_msg_size=0) as socket,
        ):
            tab = Page(socket)
            listening = asyncio.create_task(tab.listen())
            try:
                yield tab
            finally:
                listening.cancel()
                with suppress(asyncio.CancelledError):
                    await listening
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        drained = asyncio.create_task(process.communicate())
        await asyncio.wait_for(drained, PATIENCE)


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    while line := await process.stderr.readline():
        if found := re.search(rb"ws://\S+", line):
            return found[0].decode()
    raise AssertionError("the browser ended before it listened")
