"""The developer tools of Chromium, driven as a page: its Network panel and its HAR.

One browser has the page, a second one the developer tools that inspect it, which the
first serves. What they do here is what their buttons do: their own modules write the
HAR file, and read one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.tui.web.chromium import Page, browser

_MODULES = """
const [har, logs, network] = await Promise.all([
  import("/devtools/models/har/har.js"), import("/devtools/models/logs/logs.js"),
  import("/devtools/panels/network/network.js")])
const requests = () => logs.NetworkLog.NetworkLog.instance().requests()
"""
_EXPORT = """
const pieces = []
const progress = new Proxy({}, {get: (_, name) =>
  name === "isCanceled" ? () => false : name === "canceled" ? false : () => progress})
await har.Writer.Writer.write(
  {write: async piece => { pieces.push(piece) }}, requests(), OPTIONS, progress)
return pieces.join("")
"""
_LOAD = """
const view = network.NetworkPanel.NetworkPanel.instance().networkLogView
await view.onLoadFromFile(new File([FILE], "it.har", {type: "application/json"}))
return Promise.all(requests().map(async each => ({
  method: each.requestMethod, url: each.url(), status: each.statusCode,
  sent: await each.requestFormData(), received: (await each.requestContentData()).text,
  headers: each.responseHeaders.map(({name, value}) => [name, value]),
  started: each.startTime, took: each.duration,
  events: each.eventSourceMessages().map(({time, eventName, data}) =>
    [time, eventName, data]),
})))
"""


@dataclass(slots=True)
class DevTools:
    """The developer tools of one page."""

    page: Page
    """What is inspected."""
    tools: Page

    async def visit(self, url: str, title: str) -> None:
        """Let the page go somewhere, and wait until it is called so."""
        await self.page.call("Page.navigate", url=url)
        await _until(self.page, f"document.title === {json.dumps(title)}")

    async def export_har(self, *, sensitive: bool) -> str:
        """What "Export HAR" gives; sensitive data only where it is asked for."""
        options = json.dumps({"sanitize": not sensitive})
        found = await self._run(_EXPORT.replace("OPTIONS", options))
        assert isinstance(found, str)
        return found

    async def load_har(self, text: str) -> list[dict[str, Any]]:
        """What "Import HAR" makes of a file: the rows of the panel."""
        found = await self._run(_LOAD.replace("FILE", json.dumps(text)))
        assert isinstance(found, list)
        return found

    async def _run(self, body: str) -> Any:
        answer = await self.tools.call(
            "Runtime.evaluate",
            expression=f"(async () => {{{_MODULES}{body}}})()",
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")


async def _until(page: Page, script: str) -> None:
    async with asyncio.timeout(20):
        while not await page.run(script):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)


@asynccontextmanager
async def devtools(folder: Path) -> AsyncIterator[DevTools]:
    """A page and its developer tools, the Network panel open."""
    inspected = folder / "inspected"
    async with (
        browser(inspected, "--remote-allow-origins=*") as page,
        browser(folder / "inspecting") as tools,
    ):
        await page.open("about:blank")
        target = (await page.call("Target.getTargetInfo"))["targetInfo"]["targetId"]
        port = (inspected / "DevToolsActivePort").read_text().split()[0]
        host = f"127.0.0.1:{port}"
        await tools.open(
            f"http://{host}/devtools/devtools_app.html"
            f"?ws={host}/devtools/page/{target}&panel=network"
        )
        await _until(tools, "document.title.startsWith('DevTools - ')")
        yield DevTools(page, tools)
