"""Stepping through a stream: what each event did, and what was there after it.

    reading ─► tape        the assembled body after any event, kept at few places
            ─► happenings  per event: what it brought, signatures, oddities
            ─► provenance  which events wrote a field, and where a field went
            ─► mainstream  what a client that reads only text and calls has kept
    player  all of these for one response; breakpoints find the next event to stop
            at; pace says when each event is due when the stream is played back

Everything is pure and made once per response (`Player.of` takes as long as reading the
stream twice; call it in a thread where the stream is large). Moving by one event then
costs a fraction of a millisecond, a jump a few.

To add a breakpoint: a field of `Happening`, a kind in `breakpoints`.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.stepthrough.breakpoints import Stop, StreamBreakpoint, find_next
    from sigscope.stepthrough.happenings import Happening, happenings_of
    from sigscope.stepthrough.mainstream import Kept
    from sigscope.stepthrough.pace import Pace, Playback
    from sigscope.stepthrough.player import FieldChange, Player, PlayerFrame
    from sigscope.stepthrough.provenance import Provenance
    from sigscope.stepthrough.tape import AssemblyTape
else:
    __getattr__ = from_modules(
        __name__,
        {
            "breakpoints": ("StreamBreakpoint", "Stop", "find_next"),
            "happenings": ("Happening", "happenings_of"),
            "mainstream": ("Kept",),
            "pace": ("Pace", "Playback"),
            "player": ("FieldChange", "PlayerFrame", "Player"),
            "provenance": ("Provenance",),
            "tape": ("AssemblyTape",),
        },
    )

__all__ = [
    "AssemblyTape",
    "FieldChange",
    "Happening",
    "Kept",
    "Pace",
    "Playback",
    "Player",
    "PlayerFrame",
    "Provenance",
    "Stop",
    "StreamBreakpoint",
    "find_next",
    "happenings_of",
]
