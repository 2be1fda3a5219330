"""The simulator as a real server, by uvicorn, for clients of any kind."""

from __future__ import annotations

import ipaddress
import socket

from sigscope.errors import UpstreamError, UsageError
from sigscope.upstreams.simulator.app import Simulator, create_app
from sigscope.upstreams.simulator.config import SimConfig


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


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. Names other than localhost
    are not looked up, and do not count."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def open_socket(host: str, port: int) -> socket.socket:
    """Bind before serving, so that a taken port is one clear message."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
    except OSError as error:
        listener.close()
        reason = error.strerror or error
        raise UpstreamError(
            f"cannot listen on {host}:{port}: {reason}; choose another --port, or 0 for"
            " a free one"
        ) from error
    except OverflowError:
        listener.close()
        raise UsageError(f"port {port} is not between 0 and 65535") from None
    return listener


class Server:
    """A simulator on a port. `run` returns after `stop`, or on ctrl+c."""

    def __init__(
        self,
        config: SimConfig,
        host: str = "127.0.0.1",
        port: int = 8901,
        *,
        remote: bool = False,
    ) -> None:
        guard_bind(config, host, remote=remote)
        self.app: Simulator = create_app(config)
        self._socket = open_socket(host, port)
        self._host = host
        self.port: int = self._socket.getsockname()[1]
        # uvicorn costs 80 ms to import; only those who serve pay.
        import uvicorn

        self._server = uvicorn.Server(
            uvicorn.Config(
                self.app,
                log_level="warning",
                access_log=False,
                server_header=False,
                lifespan="off",
                timeout_graceful_shutdown=1,
            )
        )

    @property
    def url(self) -> str:
        """What to give a client as the base of its URL."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}"

    async def run(self) -> None:
        """Serve until stopped."""
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Ask the server to end; open streams get a second."""
        self._server.should_exit = True


async def serve(
    config: SimConfig,
    host: str = "127.0.0.1",
    port: int = 8901,
    *,
    remote: bool = False,
) -> None:
    """Run a simulator until ctrl+c. Raises UsageError for an unguarded address and
    UpstreamError for a port that is taken."""
    await Server(config, host, port, remote=remote).run()
