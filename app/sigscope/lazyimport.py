"""Names of a package that are imported when they are first asked for (PEP 562).

A package that gathers its names from heavy modules makes whoever wants one of them pay
for all. Start-up is paid at every start, so such a package says where each name lives:

    if TYPE_CHECKING:
        from sigscope.store.reader import open_session
    else:
        __getattr__ = from_modules(__name__, {"reader": ("open_session",)})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def from_modules(
    package: str, homes: Mapping[str, Sequence[str]]
) -> Callable[[str], Any]:
    """A package's `__getattr__`: `homes` tells the names that each module has.

    What it returns raises AttributeError for any other name.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home}")
        found = getattr(module, name)
        setattr(import_module(package), name, found)  # asked once
        return found

    return find
