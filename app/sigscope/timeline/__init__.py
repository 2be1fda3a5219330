"""When things arrived, and how a conversation changes over its turns.

    lanes    one response as spans and marks on a time axis
    layout   the lanes of a session: threads, steps, runs; one clock or one start
    window   what part of the axis is in sight: zooming, panning, ticks
    turns    per step and per turn: reasoning, answers, token counts, signatures

Everything is pure; the screens draw it.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.timeline.lanes import Gap, Lane, Mark, Stretch, lane_of
    from sigscope.timeline.layout import LaneGroup, offsets_of, sort_lanes
    from sigscope.timeline.turns import Figures, figures_of, turns_of
    from sigscope.timeline.window import Window
else:
    __getattr__ = from_modules(
        __name__,
        {
            "lanes": ("Gap", "Lane", "Mark", "Stretch", "lane_of"),
            "layout": ("LaneGroup", "offsets_of", "sort_lanes"),
            "turns": ("Figures", "figures_of", "turns_of"),
            "window": ("Window",),
        },
    )

__all__ = [
    "Figures",
    "Gap",
    "Lane",
    "LaneGroup",
    "Mark",
    "Stretch",
    "Window",
    "figures_of",
    "lane_of",
    "offsets_of",
    "sort_lanes",
    "turns_of",
]
