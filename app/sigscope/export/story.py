"""Markdown by others as HTML: what it sets apart is kept, what it links to is words.

CommonMark by markdown-it; HTML in it stays text. Nothing opens or loads: of a link and
of a picture the text and the address are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sigscope.export.elements import Child, Html, joined, tag

if TYPE_CHECKING:
    from markdown_it.token import Token

_BLOCKS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
}
_INLINE = {"strong": "strong", "em": "em"}
_DEEPEST = 40
_LOWEST = 6
"""Headings of a story stand below those of the page: "# x" is an h3."""


def story(markdown: str) -> Html:
    """The blocks of a text."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    tokens = parser.parse(markdown)
    if any(
        token.level + 1 >= _DEEPEST for token in tokens
    ):  # what is below is left out
        return tag("pre", markdown)
    return joined(_Blocks(tokens).all())


class _Blocks:
    """Reads tokens from the first to the last."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def all(self) -> Iterator[Child]:
        """Elements, until the one closes that is open."""
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.nesting < 0:
                return
            yield from self._one(token)

    def _one(self, token: Token) -> Iterator[Child]:
        name = token.type.removesuffix("_open")
        if token.type in ("fence", "code_block"):
            yield tag("pre", token.content.rstrip("\n"))
        elif token.type == "inline":
            yield from _Blocks(token.children or []).all()
        elif token.type == "code_inline":
            yield tag("code", token.content)
        elif token.type == "image":
            yield f"{token.content} ({token.attrGet('src')})"
        elif token.type == "hr":
            yield tag("hr")
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n" if token.type == "softbreak" else tag("br")
        elif token.nesting == 0:
            yield token.content
        elif name == "link":
            yield from self.all()
            yield f" ({token.attrGet('href')})"
        elif name == "heading":
            level = min(_LOWEST, int(token.tag[1:]) + 2)
            yield tag(f"h{level}", list(self.all()))
        elif name in _BLOCKS and not token.hidden:
            yield tag(_BLOCKS[name], list(self.all()))
        elif name in _INLINE:
            yield tag(_INLINE[name], list(self.all()))
        else:  # the paragraph of a tight list
            yield from self.all()
