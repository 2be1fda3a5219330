"""The table of commands: everything that has a key, with the key it is shipped with.

The bindings stand with the widgets that obey them; here they are collected, so that
keys can be printed, changed and compared without a screen.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen

from sigscope.records import dataclass
from sigscope.tui.keynames import is_key

PACKAGE = "sigscope.tui"
WITHOUT_KEYS = f"{PACKAGE}.web"
"""Needs an optional library, and has no widgets."""

_TITLES = {
    "SigscopeApp": "everywhere",
    "SessionsScreen": "list of sessions",
    "SessionList": "list of sessions",
    "DebuggerScreen": "debugger",
    "CompareScreen": "compare",
    "ComparisonList": "compare",
    "RowList": "every list",
    "ItemList": "every list",
    "JsonPane": "JSON pane",
    "JsonTree": "JSON pane: tree",
    "RawView": "JSON pane: raw bytes",
    "DiffView": "JSON pane: diff",
    "EventsView": "JSON pane: events",
    "PromptLine": "JSON pane: search line",
    "Prompt": "JSON pane: search line",
    "Dialog": "dialogs",
    "BisectDialog": "dialogs: bisect",
    "ConfirmationDialog": "dialogs: continue",
    "ForkDialog": "dialogs: fork",
    "ChoiceDialog": "dialogs: choosing",
    "Choices": "dialogs: one of several",
    "Question": "dialogs: questions",
    "PasteDialog": "dialogs: pasted text",
    "OpeningScreen": "opening a file",
    "HelpScreen": "help",
    "RecordingScreen": "recording",
    "OutputScreen": "recording: the client's output",
    "StepScreen": "step-through",
    "MessageList": "step-through: message",
    "RawBox": "step-through: raw event",
    "StopsDialog": "step-through: breakpoints",
    "TimelineScreen": "timeline",
    "PathScreen": "paths of signatures",
    "BodySearchScreen": "search in all bodies",
    "BodyHitList": "search in all bodies",
    "OverviewScreen": "overview",
    "HopScreen": "hops",
    "MatrixScreen": "matrix",
    "CellList": "matrix",
}
"""Where a command works, for readers; other classes are called by their own name."""

_FIRST = ("everywhere", "list of sessions", "debugger", "every list", "JSON pane")

_CONTAINERS = ("JsonPane", "EventsView")
"""Widgets whose keys work while one of their own has the focus; the outer first."""


_MOVES = ("down", "up", "first", "last", "half-down", "half-up", "page-down", "page-up")
FORMER: Mapping[str, str] = {f"json.{name}": f"list.{name}" for name in _MOVES}
"""What commands were called once, in key files of then, and what they are called."""

LIKE: Mapping[str, str] = {
    **dict.fromkeys(
        ("json.search", "stepping.search", "compare.search", "sessions.search",
         "choosing.search", "hops.search", "paths.search", "overview.search"),
        "search",
    ),
    **dict.fromkeys(("sessions.open", "matrix.open", "bodies.open"), "list.choose"),
    "stepping.zoom": "zoom",
    "copy": "json.copy",
    "stepping.pane-next": "pane.next",
    "stepping.pane-before": "pane.previous",
    "compare.step-previous": "step.previous",
    "compare.step-next": "step.next",
    "stepping.step-before": "step.previous",
    "stepping.step-next": "step.next",
    "overview.step-before": "step.previous",
    "overview.step-next": "step.next",
    **{
        f"{place}.anomaly{which}": f"anomaly.{name}"
        for place in ("overview", "stepping", "timeline")
        for which, name in (("", "next"), ("-before", "previous"))
    },
    "stepping.event-before": "event.previous",
    "stepping.event-next": "event.next",
    **{f"stepping.pane-{number}": f"pane.{number}" for number in range(1, 5)},
}  # fmt: skip
"""Commands that are those of the debugger, or of every list, on another screen: they
have its keys, unless a key file says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something a key does."""

    id: str
    """What a key file calls it: "json.toggle"."""
    keys: tuple[str, ...]
    """As shipped, in Textual's names."""
    words: str
    """What it does."""
    holder: type[DOMNode]
    """The class that obeys it."""
    has_priority: bool = False
    """Whether it wins over what is in focus."""

    @property
    def where(self) -> str:
        """Where it works."""
        return title_of(self.holder)


def title_of(holder: type[DOMNode]) -> str:
    """Where the commands of a class work."""
    name = holder.__name__
    bare = re.sub(r"(Screen|Pane|View|Dialog)$", "", name) or name
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare).lower()
    return _TITLES.get(name, words)


@cache
def commands() -> tuple[Command, ...]:
    """All of them, by place. Imports every module of the screens."""
    package = import_module(PACKAGE)
    for module in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        if not module.name.startswith(WITHOUT_KEYS):
            import_module(module.name)
    found = [
        command for holder in _holders(DOMNode) for command in _commands_of(holder)
    ]
    return tuple(sorted(found, key=lambda command: _rank(command.where)))


def _rank(where: str) -> tuple[int, str]:
    return (_FIRST.index(where) if where in _FIRST else len(_FIRST), where)


def _holders(above: type[DOMNode]) -> Iterator[type[DOMNode]]:
    """Our classes with keys of their own, each once, in the order of their names."""
    seen: dict[str, type[DOMNode]] = {}
    pending = [above]
    while pending:
        holder = pending.pop()
        pending += holder.__subclasses__()
        if holder.__module__.startswith(PACKAGE) and holder.__dict__.get("BINDINGS"):
            seen[f"{holder.__module__}.{holder.__name__}"] = holder
    for name in sorted(seen):
        yield seen[name]


def _commands_of(holder: type[DOMNode]) -> Iterator[Command]:
    by_id: dict[str, list[Binding]] = {}
    for binding in Binding.make_bindings(holder.__dict__["BINDINGS"]):
        if binding.id:
            by_id.setdefault(binding.id, []).append(binding)
    for name, bindings in by_id.items():
        first = bindings[0]
        yield Command(
            id=name,
            keys=tuple(b.key for b in bindings if is_key(b.key)),
            words=first.tooltip or first.description,
            holder=holder,
            has_priority=first.priority,
        )


# --- Which keys meet -----------------------------------------------------------------


def inner_first(one: Command, other: Command) -> tuple[Command, Command] | None:
    """Two commands in the order in which a key looks for them; None if they can never
    be active at once. A key goes to the widget in focus, to those around it, to the
    screen, then to the application; not beyond a dialog."""
    if one.has_priority != other.has_priority:
        return (one, other) if one.has_priority else (other, one)
    a, b = one.holder, other.holder
    if issubclass(a, b) or issubclass(b, a):
        return (one, other)
    if _depth(a) < _depth(b):
        one, other, a, b = other, one, b, a
    return (one, other) if _stands_in(a, b) else None


def _depth(holder: type[DOMNode]) -> int:
    if issubclass(holder, App):
        return 0
    if issubclass(holder, Screen):
        return 1
    names = (*_CONTAINERS, holder.__name__)
    return 2 + names.index(holder.__name__)


def _stands_in(inner: type[DOMNode], outer: type[DOMNode]) -> bool:
    """Whether the keys of the outer one work while the inner one has the focus."""
    if issubclass(outer, App):
        return not issubclass(inner, ModalScreen)
    is_general = inner.__name__ in ("ItemList", "RowList")
    if not issubclass(outer, Screen):
        beside = (
            inner.__module__.rpartition(".")[0] == outer.__module__.rpartition(".")[0]
        )
        return (beside or is_general) and _depth(inner) > _depth(outer)
    if issubclass(inner, Screen):
        return False
    is_of_panes = inner.__module__.startswith((f"{PACKAGE}.panes", f"{PACKAGE}.json"))
    is_home = outer.__name__ == "DebuggerScreen"
    is_own = inner.__module__ == outer.__module__
    return is_general or is_own or (is_of_panes and is_home)
