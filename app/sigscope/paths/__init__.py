"""The path of a signature: from the response that brought it to where it went.

`pathmap` lays a ledger out as a map: steps are columns, places on the wire are rows,
each signature has a line in every place it stands in. `records` is what it is made of.
"""

from sigscope.paths.pathmap import PathMap, continued, map_paths
from sigscope.paths.records import (
    PathColumn,
    PathLane,
    PathLink,
    PathMark,
    PlaceShape,
    SignaturePath,
)

__all__ = [
    "PathColumn",
    "PathLane",
    "PathLink",
    "PathMap",
    "PathMark",
    "PlaceShape",
    "SignaturePath",
    "continued",
    "map_paths",
]
