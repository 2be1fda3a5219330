"""A whole session at a glance: one cell a step, or many steps a cell.

    records    what is said of one step, and which of several steps is worst
    strip      all steps in lanes, taken together as far as one has zoomed out
    endings    where readable reasoning ends
    anomalies  the steps one wants to see next, in order, and around the end

Everything is pure; screens and the report draw it.
"""

from sigscope.overview.anomalies import Anomalies, Anomaly, AnomalyStop, find_anomalies
from sigscope.overview.records import SHADES, Shade, StepState, rank_of
from sigscope.overview.strip import SessionStrip, StripCell, StripLane, survey

__all__ = [
    "SHADES",
    "Anomalies",
    "Anomaly",
    "AnomalyStop",
    "SessionStrip",
    "Shade",
    "StepState",
    "StripCell",
    "StripLane",
    "find_anomalies",
    "rank_of",
    "survey",
]
