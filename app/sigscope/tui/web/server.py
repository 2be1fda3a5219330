"""Listening on loopback, and running the screens for each tab."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress

from aiohttp import web
from aiohttp.typedefs import Handler
from textual_serve.server import Server

from sigscope.errors import UsageError
from sigscope.tui.web.gate import Gate
from sigscope.tui.web.page import page, policy

LOOPBACK = "127.0.0.1"
PATIENCE = 1.0
"""Seconds that open tabs have to end when the server does."""


def command_for(arguments: Sequence[str]) -> str:
    """The shell command that shows the screens; every argument quoted."""
    return shlex.join([sys.executable, "-m", "sigscope", "open", *arguments])


def listen(port: int) -> socket.socket:
    """A socket on loopback. Raises UsageError where the port is taken."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise UsageError(
            f"port {port} of {LOOPBACK} cannot be used: {error.strerror or error};"
            " give another one, or --port 0 for any that is free"
        ) from error


def build(command: str, gate: Gate, title: str) -> web.Application:
    """The application: page, socket, downloads and files, all behind the gate."""
    served = Server(command, host=LOOPBACK, port=gate.port, title=title)

    async def index(request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        text = page(title=title, host=request.host, nonce=nonce)
        rules = policy(host=request.host, nonce=nonce)
        headers = {"Content-Security-Policy": rules}
        return web.Response(text=text, content_type="text/html", headers=headers)

    application = web.Application(middlewares=[_careful, gate.middleware()])
    application.add_routes(
        [
            web.get("/", index),
            web.get("/ws", served.handle_websocket),
            web.get("/download/{key}", served.handle_download),
            web.static("/static", served.statics_path),
        ]
    )
    return application


@web.middleware
async def _careful(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Headers that keep the page to itself; outermost, so refusals have them too."""
    try:
        response = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update(_HEADERS)
        raise
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def serve(
    arguments: Sequence[str], port: int, title: str, told: Callable[[str], None]
) -> None:
    """Serve until Ctrl+C. `told` gets the link once somebody listens behind it.
    Raises UsageError where the port is taken."""
    with listen(port) as listener:
        gate = Gate(port=listener.getsockname()[1])
        application = build(command_for(arguments), gate, title)
        asyncio.run(_run(application, listener, lambda: told(gate.link)))


async def _run(
    application: web.Application, listener: socket.socket, ready: Callable[[], None]
) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(name, ended.set)
    # No access log: it would hold the link's token.
    runner = web.AppRunner(
        application, access_log=None, shutdown_timeout=PATIENCE, handle_signals=False
    )
    await runner.setup()
    await web.SockSite(runner, listener).start()
    try:
        ready()
        # What the screens' process says at its end, textual-serve prints on stdout.
        with redirect_stdout(sys.stderr):
            await ended.wait()
    finally:
        await runner.cleanup()
