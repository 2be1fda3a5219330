"""Help: what the pane in focus is for, and every key that means something in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from sigscope.records import dataclass
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.lines import Line, Span, column, line, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.screens.dialog import Dialog


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """One action and its keys."""

    keys: str
    words: str


@dataclass(frozen=True, slots=True)
class Section:
    """Keys that belong together."""

    title: str
    text: str
    keys: tuple[KeyHelp, ...]


def sections_of(screen: Screen[object]) -> list[Section]:
    """What is known about the focus: the pane, then the screen, then everywhere."""
    ours = {a.binding.action for a in screen.active_bindings.values() if a.binding.id}
    by_node: dict[object, dict[str, tuple[list[str], str]]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.id and binding.action not in ours:
            continue  # what Textual brings along, and nobody here needs
        actions = by_node.setdefault(active.node, {})
        keys, _ = actions.setdefault(
            binding.action, ([], binding.tooltip or binding.description)
        )
        keys.append(screen.app.get_key_display(binding))
    around: list[object] = list((screen.focused or screen).ancestors_with_self)
    nodes = sorted(by_node, key=around.index)
    # The focus may be in a part of a pane: its keys are the pane's own.
    pane = next((n for n, node in enumerate(nodes) if _help_of(node)), 0)
    for node in nodes[:pane]:
        by_node[nodes[pane]] = by_node.pop(node) | by_node[nodes[pane]]
    return [
        Section(title=_title(node), text=_help_of(node), keys=_in_order(by_node[node]))
        for node in nodes
        if node in by_node
    ]


def left_out(faults: Sequence[str]) -> list[Section]:
    """What of installed packages could not be used; nothing where all could."""
    if not faults:
        return []
    doctor = "`sigscope doctor` lists all, SIGSCOPE_EXTENSIONS=off goes without them"
    text = "; ".join((*(f"extension {fault}" for fault in faults), doctor))
    return [Section(title="left out", text=text, keys=())]


def _help_of(node: object) -> str:
    """What a pane or screen is for. Commands stand in it by their ids, "{fix.back}":
    the user's keys are said."""
    text = str(getattr(node, "HELP", None) or "")
    if not isinstance(node, DOMNode):
        return text
    return re.sub(r"\{([a-z.-]+)\}", lambda found: key_on(node, found[1]), text)


def _in_order(actions: dict[str, tuple[list[str], str]]) -> tuple[KeyHelp, ...]:
    """What space does, then what only this pane can do, then how one moves in every
    list."""
    moves = {_action(found) for found in Binding.make_bindings(ItemList.BINDINGS)}

    def rank(each: tuple[str, tuple[list[str], str]]) -> tuple[bool, bool]:
        action, (keys, _) = each
        return action in moves, "space" not in keys

    found = sorted(actions.items(), key=rank)
    return tuple(KeyHelp(" ".join(keys), words) for _, (keys, words) in found)


def _action(binding: Binding) -> str:
    return binding.action


def _title(node: object) -> str:
    """What stands above it on the screen: on its own border, or the one around it."""
    if isinstance(node, Screen):
        return "this screen"
    if not isinstance(node, Widget):
        return "everywhere"
    around = (each for each in node.ancestors_with_self if isinstance(each, Widget))
    names = (getattr(each, "NAME", "") or each.border_title for each in around)
    return str(next(filter(None, names), "here")).lstrip("123456 ")


class Page(ItemList):
    """A text to scroll."""

    MARK = "none"


class HelpScreen(Dialog[None]):
    """Shows sections; any of the usual keys scrolls."""

    DEFAULT_CSS = """
    HelpScreen > .box { height: 90%; width: 84; padding: 1 1 1 2; }
    HelpScreen > ItemList { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,q", "close", "Close", False, id="help.close",
                tooltip="Close the help"),
    ]  # fmt: skip

    def __init__(self, sections: Iterable[Section]) -> None:
        super().__init__()
        self._sections = list(sections)

    def compose(self) -> ComposeResult:
        listed = Page(classes="box")
        listed.border_title = "Help"
        listed.border_subtitle = self.ways()
        yield listed

    def on_mount(self) -> None:
        self.query_one(ItemList).show([Item(0, self._lay)])

    def _lay(self, cells: int) -> list[Line]:
        lines: list[Line] = []
        size = max(
            (width(line(key.keys)) for s in self._sections for key in s.keys),
            default=4,
        )
        for section in self._sections:
            if lines:
                lines.append(())
            lines.append(line((section.title, "heading bold")))
            if section.text:
                lines += wrap([Span(section.text)], cells)
                lines.append(())
            for key in section.keys:
                head = (Span("  "), column(key.keys, size, "key bold"), Span("  "))
                hang = line(" " * (size + 4))
                lines += wrap([Span(key.words)], cells, first=head, hang=hang)
        return lines
