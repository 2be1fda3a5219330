"""A style sheet that keeps what it has parsed."""

from __future__ import annotations

from rich.style import Style
from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode

THEMES = 4
"""Sets of variables whose rules are kept: one for a theme, while one tries others."""

OF_TITLES = frozenset(
    f"border_{which}_{what}"
    for which in ("title", "subtitle")
    for what in ("color", "background", "style")
)
"""Rules of the words in a border. Set by themselves they paint all within it anew."""

_Parsed = dict[tuple[str, CSSLocation, bool, int, str], list[RuleSet]]
_kept: LRUCache[frozenset[tuple[str, str]], _Parsed] = LRUCache(THEMES)


class KeptStylesheet(Stylesheet):
    """Textual's own parses every source anew when a screen brings a file with it, at
    every change of the theme, and in every application. Rules are not changed once
    they are parsed: here they are kept as long as the program runs."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parsed = _parsed_with(self._variables)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Other colours make other rules."""
        super().set_variables(variables)
        self._parsed = _parsed_with(variables)

    def _parse_rules(
        self,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        key = (css, read_from, is_default_rules, tie_breaker, scope)
        if key not in self._parsed:
            self._parsed[key] = super()._parse_rules(*key)
        return self._parsed[key]

    @classmethod
    def replace_rules(
        cls, node: DOMNode, rules: RulesMap, animate: bool = False
    ) -> None:
        """Only what is another is set. Textual's own sets each rule again, of which
        those of scroll bars paint them: six times whenever the focus comes or goes."""
        styles = node.styles.base
        before = styles.get_rules()
        names = before.keys() | rules.keys()
        if animate and "transitions" in names:
            super().replace_rules(node, rules, animate)
            return
        for name in names:
            wanted = rules.get(name)
            if name in OF_TITLES and isinstance(wanted, str):
                wanted = Style.parse(wanted)
            if wanted is not None and before.get(name) == wanted:
                continue
            if name in OF_TITLES:
                styles.set_rule(name, wanted)
                styles.refresh()
            else:
                setattr(styles, name, wanted)
        node.notify_style_update()

    def reparse(self) -> None:
        """Nothing is taken over where a source is wrong."""
        self._invalid_css = set()
        self.parse()


def _parsed_with(variables: dict[str, str]) -> _Parsed:
    key = frozenset(variables.items())
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = {}
    return found
