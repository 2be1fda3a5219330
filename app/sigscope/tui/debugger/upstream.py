"""Where requests go."""

from __future__ import annotations

from sigscope.engine.engine import Target, key_from
from sigscope.records import dataclass
from sigscope.upstreams.target import SIMULATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenUpstream:
    """What the user chose. The key itself is read when something is sent."""

    url: str = SIMULATOR
    key_env: str = ""
    """Name of the environment variable that holds the key; empty for none."""
    is_lenient: bool = False
    """Whether the simulator lets pass what sources dispute."""
    timeout: float = 120.0
    """Seconds of silence after which a live answer is given up."""
    retries: int = 2
    """How often a live send without evidence is tried again."""

    @property
    def is_live(self) -> bool:
        """Whether it is not the simulator."""
        return self.url != SIMULATOR

    def target(self) -> Target:
        """For the engine. Raises UsageError if the key's variable is not set."""
        from sigscope.upstreams.simulator import SimConfig

        if not self.is_live:
            lenient = SimConfig(enforce="lenient") if self.is_lenient else None
            return Target(simulator=lenient)
        key = key_from(self.key_env or None)
        return Target(url=self.url, key=key, timeout=self.timeout, retries=self.retries)
