"""The palette: every command, with its key beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.types import IgnoreReturnCallbackType

from sigscope.tui.panes.keyline import FIRST

MOVES = ("list.", "dialog.", "choosing.", "help.", "pasting.")
"""Ids of bindings that make no sense when chosen from a list."""

Command = tuple[str, str, str, IgnoreReturnCallbackType]
"""Id of the binding, what it does, its key as displayed, how it is run."""


class KeyCommands(Provider):
    """All that has a key where the focus is."""

    def _commands(self) -> Iterator[Command]:
        seen: set[tuple[DOMNode, str]] = set()
        for active in self.screen.active_bindings.values():
            binding, node = active.binding, active.node
            name = binding.id or ""
            if (node, binding.action) in seen or not active.enabled:
                continue
            if binding.system or not name or name.startswith(MOVES):
                continue
            seen.add((node, binding.action))
            run = partial(self.app.run_action, binding.action, node)
            yield name, self._words(binding), self.app.get_key_display(binding), run

    def _words(self, binding: Binding) -> str:
        return binding.tooltip or binding.description

    async def discover(self) -> Hits:
        """All of them, what is done most first."""
        for _, words, key, run in sorted(self._commands(), key=_rank):
            yield DiscoveryHit(_with_key(Content(words), key), run, text=words)

    async def search(self, query: str) -> Hits:
        """Those that match."""
        matcher = self.matcher(query)
        for _, words, key, run in self._commands():
            score = matcher.match(words)
            if score > 0:
                shown = _with_key(matcher.highlight(words), key)
                yield Hit(score, shown, run, text=words)


def _rank(command: Command) -> int:
    name = command[0]
    return FIRST.index(name) if name in FIRST else len(FIRST)


def _with_key(words: Content, key: str) -> Content:
    return Content.assemble(words, "  ", (key, "$accent bold"))
