"""The simulator as a real server, by uvicorn, for clients of any kind."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from sigscope.errors import UsageError
from sigscope.openfiles import tell_scarcity
from sigscope.sockets import listen
from sigscope.upstreams.simulator.app import Simulator, create_app
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.door import Door
from sigscope.upstreams.simulator.prompter import Cue, Prompter
from sigscope.upstreams.simulator.records import Json
from sigscope.wire.access import Access, is_loopback


def guard_bind(config: SimConfig, host: str, *, remote: bool) -> None:
    """Refuse to listen beyond loopback unless asked to, and then only with a key."""
    if is_loopback(host):
        return
    if not remote:
        raise UsageError(
            f"{host} is not a loopback address: the simulator listens on this machine "
            "only. To let other machines in, give --allow-remote and --key"
        )
    if not config.key:
        raise UsageError(
            f"listening on {host} needs a key (--key), so that nobody else on the "
            "network can read the log"
        )


class Server:
    """A simulator on a port. `run` returns after `stop`, or on ctrl+c."""

    def __init__(
        self,
        config: SimConfig,
        host: str = "127.0.0.1",
        port: int = 8901,
        *,
        remote: bool = False,
        access: Access | None = None,
        on_refused: Callable[[str], None] = lambda _: None,
        prompter: Prompter | None = None,
        on_cue: Callable[[Incoming, Cue, int], None] = lambda *_: None,
        mask: Callable[[Json], Json] = lambda told: told,
        on_problem: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`access`: who is served besides programs of this machine. `on_refused`: is
        told why somebody was not; `on_problem`: why nobody is. `prompter` and `on_cue`:
        see `Simulator`."""
        guard_bind(config, host, remote=remote)
        self.app: Simulator = create_app(
            config, prompter=prompter, on_cue=on_cue, mask=mask
        )
        # Other machines use names that nobody knows here; they have to bring the key.
        access = replace(access or Access(), is_open=not is_loopback(host))
        self.door = Door(self.app, access, on_refused)
        self._socket = listen(port, host)
        self._host = host
        self._on_problem = on_problem
        self.port: int = self._socket.getsockname()[1]
        # uvicorn costs 80 ms to import; only those who serve pay.
        import uvicorn

        self._server = uvicorn.Server(
            uvicorn.Config(
                self.door,
                log_level="warning",
                log_config=None,  # uvicorn's own wants a stdout that is open
                access_log=False,
                server_header=False,
                ws="none",  # an upgrade comes as a request, and is refused in words
                lifespan="off",
                timeout_graceful_shutdown=1,
            )
        )

        logging.getLogger("uvicorn.error").addFilter(_is_no_upgrade)

    @property
    def url(self) -> str:
        """What to give a client as the base of its URL."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}"

    async def run(self) -> None:
        """Serve until stopped."""
        tell_scarcity(self._on_problem)
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Ask the server to end; open streams get a second."""
        self._server.should_exit = True


def _is_no_upgrade(record: logging.LogRecord) -> bool:
    """uvicorn advises to install a WebSocket library, which would not help."""
    said = record.getMessage()
    return "upgrade request" not in said and "WebSocket library" not in said
