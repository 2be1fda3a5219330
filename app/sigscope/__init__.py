"""sigscope: a debugger for conversations with reasoning models.

wire bytes → exchange → dialect → parts → threads → ledger → findings
→ edits → run → verdict → export

One engine; `cli` and `tui` only call it. The packages are layers: a module imports
from those to its left in this line, never from those to its right (the contracts in
`pyproject.toml` hold this).

What programs of others may call is in `api` (docs/python-api.md). Its names are here
too, and are imported when they are first asked for: `import sigscope` costs nothing.
"""

TYPE_CHECKING = False  # `typing` is a third of what the program imports to start

if TYPE_CHECKING:
    from sigscope.api.question import (
        Anchor,
        Answer,
        Service,
        ask,
        edited,
        is_live,
        request,
    )
    from sigscope.api.records import Fate, Finding, Place, Run, Signature, Step
    from sigscope.api.session import OpenSession, open
    from sigscope.errors import (
        EditError,
        InputError,
        SigscopeError,
        UpstreamError,
        UsageError,
    )

__version__ = "0.1.0"

__all__ = [
    "Anchor",
    "Answer",
    "EditError",
    "Fate",
    "Finding",
    "InputError",
    "OpenSession",
    "Place",
    "Run",
    "Service",
    "Signature",
    "SigscopeError",
    "Step",
    "UpstreamError",
    "UsageError",
    "__version__",
    "ask",
    "edited",
    "is_live",
    "open",
    "request",
]

_ERRORS = ("EditError", "InputError", "SigscopeError", "UpstreamError", "UsageError")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'sigscope' has no attribute {name!r}")
    from importlib import import_module

    home = import_module("sigscope.errors" if name in _ERRORS else "sigscope.api")
    found: object = getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
