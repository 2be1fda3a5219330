"""The tools and resources, told to the official SDK of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from sigscope import __version__
from sigscope.cli.mcp.desk import UNTRUSTED, ToolDesk
from sigscope.errors import SigscopeError

INSTRUCTIONS = (
    "sigscope follows opaque reasoning signatures (Gemini thoughtSignature, OpenRouter"
    " reasoning_details, Copilot reasoning_opaque ...) through recorded traffic of a"
    " model's client, names the JSON node of a mistake, and proves the fix against a"
    " strict simulator. Begin with `open` and `check`; `explain` tells what a rule or"
    " an error's text means; `replay` with fixes and `bisect` prove what mends a step;"
    " `verify` compares a new recording with the old. " + UNTRUSTED
)

Path = Annotated[
    str,
    Field(description="a recording (session file, HAR, ...) below the server's folder"),
]
Dialects = Annotated[
    tuple[str, ...],
    Field(description="what steps speak, where that is not seen: NAME or NAME:2,5-7"),
]
Step = Annotated[int, Field(ge=1, description="a step's number, from 1")]
Fixes = Annotated[
    tuple[str, ...], Field(description='rules whose fix is made: ["CPC-1"], or ["all"]')
]
Ready = Annotated[tuple[str, ...], Field(description="ready-made edits by name")]
Edits = Annotated[
    tuple[str, ...],
    Field(
        description='edits written out: "set /messages/2/content null", "drop /stream"'
    ),
]
Live = Annotated[
    bool,
    Field(
        description="ask the live service instead of the simulator: costs money, and"
        " only where the user started the server with --allow-live"
    ),
]
_LOOKS = ToolAnnotations(
    read_only_hint=True, open_world_hint=False, idempotent_hint=True
)
_SENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False)


class Tools:
    """One method a tool. Calls wait for one another: a verb may set what all share."""

    def __init__(self, desk: ToolDesk) -> None:
        self._desk = desk
        self._turn = asyncio.Lock()

    async def _do(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        async with self._turn:
            try:
                return await asyncio.to_thread(work)
            except SigscopeError as error:
                raise ToolError(str(error)) from None

    def _file(self, path: str, dialects: tuple[str, ...]) -> list[str]:
        named = [f"--dialect={each}" for each in dialects]
        return [self._desk.folder.find(path), *named, "--json"]

    async def open(self, path: Path, dialects: Dialects = ()) -> dict[str, Any]:
        """List the steps of a recording: dialect, model, status, threads."""
        return await self._do(
            lambda: self._desk.call(["show", *self._file(path, dialects)])
        )

    async def check(
        self,
        path: Path,
        step: Step | None = None,
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """Lint a recording: what is wrong, at which JSON node, why, and the fix.
        Exit code 1 if there is an error. Steps in `not_judged` speak an unknown
        dialect: no finding about them is no all-clear."""
        return await self._do(
            lambda: self._desk.call(
                ["check", *self._file(path, dialects), *_step(step)]
            )
        )

    async def ledger(self, path: Path, dialects: Dialects = ()) -> dict[str, Any]:
        """Every signature: where it was received, and its fate in later requests."""
        return await self._do(
            lambda: self._desk.call(
                ["ledger", *self._file(path, dialects), "--compact"]
            )
        )

    async def explain(
        self,
        words: Annotated[
            str, Field(description="a rule's id (CPC-1), or the text of an error")
        ],
    ) -> dict[str, Any]:
        """The manual page of a rule, or what an error's text means."""
        if words.strip() in ("", "-"):
            raise ToolError("name a rule (CPC-1), or give the text of an error")
        return await self._do(
            lambda: self._desk.call(["explain", "--json", "--", words])
        )

    async def show(
        self,
        path: Path,
        step: Step,
        events: Annotated[
            bool, Field(description="the stream's events instead of the conversation")
        ] = False,
        pointer: Annotated[
            str,
            Field(description="only what stands at this JSON Pointer of the answer"),
        ] = "",
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """One step: its conversation, or the events of its stream; long texts cut."""
        more = ["--events"] if events else []
        return await self._do(
            lambda: self._desk.call(
                ["show", *self._file(path, dialects), *_step(step), *more], pointer
            )
        )

    async def replay(
        self,
        path: Path,
        step: Step,
        fixes: Fixes = (),
        ready: Ready = (),
        edits: Edits = (),
        live: Live = False,
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """Send a step again, with edits, to the strict simulator; say whether the
        recorded error is gone. The run is appended to the session, as by the user."""
        return await self._do(
            lambda: self._desk.send(
                [
                    "replay",
                    *self._file(path, dialects),
                    *_step(step),
                    *_changes(fixes, ready, edits),
                ],
                is_live=live,
                wanted=1,
            )
        )

    async def bisect(
        self,
        path: Path,
        step: Step,
        fixes: Fixes = (),
        ready: Ready = (),
        edits: Edits = (),
        against: Annotated[
            int | None,
            Field(description="a step that works: what differs from it is varied"),
        ] = None,
        live: Live = False,
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """Find the smallest set of edits that makes a refused step pass, with its
        certificate. Without edits: among the fixes of the step's findings."""
        other = [] if against is None else [f"--against={against}"]
        return await self._do(
            lambda: self._desk.send(
                [
                    "bisect",
                    *self._file(path, dialects),
                    *_step(step),
                    *_changes(fixes, ready, edits),
                    *other,
                ],
                is_live=live,
                wanted=20,
                option="--budget",
            )
        )

    async def matrix(
        self,
        path: Path,
        step: Step,
        ready: Ready = (),
        edits: Edits = (),
        all_fixes: Annotated[
            bool, Field(description="the fixes of the step's findings, too")
        ] = False,
        pairwise: Annotated[
            bool, Field(description="none, one and two at a time")
        ] = False,
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """All combinations of edits (by default of the findings' fixes), each with the
        simulator's and the rules' prediction, and which edits interact.
        Sends nothing."""
        chosen = ["--all-fixes"] if all_fixes else []
        pairs = ["--pairwise"] if pairwise else []
        return await self._do(
            lambda: self._desk.call(
                [
                    "matrix",
                    *self._file(path, dialects),
                    *_step(step),
                    *_changes((), ready, edits),
                    *chosen,
                    *pairs,
                ]
            )
        )

    async def verify(
        self,
        old: Path,
        new: Path,
        dialects: Dialects = (),
    ) -> dict[str, Any]:
        """Was it fixed? A new recording of the same conversation beside the old one:
        findings gone, left and new."""

        def work() -> dict[str, Any]:
            first, *more = self._file(old, dialects)
            second = self._desk.folder.find(new)
            return self._desk.call(["verify", first, second, *more])

        return await self._do(work)


def _step(step: int | None) -> list[str]:
    return [] if step is None else [f"--step={step}"]


def _changes(
    fixes: Sequence[str], ready: Sequence[str], edits: Sequence[str]
) -> list[str]:
    """Each with its option in one word: none is taken for an option itself."""
    return [
        *(f"--apply-fix={each}" for each in fixes),
        *(f"--ready={each}" for each in ready if each != "list"),
        *(f"--edit={each}" for each in edits),
    ]


def build(desk: ToolDesk) -> MCPServer[Any]:
    """The server, with all its tools and resources."""
    server: MCPServer[Any] = MCPServer(
        "sigscope",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="ERROR",
    )
    tools = Tools(desk)
    for look in (
        tools.open,
        tools.check,
        tools.ledger,
        tools.explain,
        tools.show,
        tools.verify,
        tools.matrix,
    ):
        server.tool(annotations=_LOOKS)(look)
    for sending in (tools.replay, tools.bisect):
        server.tool(annotations=_SENDS)(sending)

    def rules() -> str:
        """Every rule: id, severity, what it finds."""
        from sigscope.rules.page import list_rules

        return list_rules()

    def rule(code: str) -> str:
        """The manual page of a rule: sigscope://rules/CPC-1."""
        from sigscope.rules.page import UnknownRule, format_page

        try:
            return format_page(code)
        except UnknownRule as error:
            raise ResourceNotFoundError(str(error)) from None

    server.resource("sigscope://rules", mime_type="text/plain")(rules)
    server.resource("sigscope://rules/{code}", mime_type="text/plain")(rule)
    return server
