"""Which live service may be asked, and how often. Without one, none is."""

from __future__ import annotations

from sigscope.errors import UsageError
from sigscope.records import dataclass


@dataclass(slots=True, kw_only=True)
class Allowance:
    """What the user gave when they started the server; it ends with it."""

    profile: str = ""
    """Empty: nothing is ever sent."""
    left: int = 0
    """Requests that may still be sent, each of which may cost money."""

    def take(self, wanted: int) -> int:
        """Take sends out of what is left: at most those `wanted`. What was not used is
        given back. Raises UsageError where none may be sent."""
        if not self.profile:
            raise UsageError(
                "this server sends nothing to live services. The user can start it with"
                " `sigscope mcp --allow-live PROFILE --budget N`; the simulator answers"
                " without (live: false)"
            )
        if self.left < 1:
            raise UsageError(
                "the budget of live sends is used up; the user can start the server"
                " again with another --budget"
            )
        taken = min(wanted, self.left)
        self.left -= taken
        return taken

    def give_back(self, unused: int) -> None:
        """Sends that were taken and not made."""
        self.left += max(0, unused)
