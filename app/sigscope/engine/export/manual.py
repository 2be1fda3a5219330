"""The manual as Markdown, a page for each rule id: docs/rules is made from it.

A page puts together what stands once each: the rule's own page and card, what the
catalogue adds for one who holds nothing but an error's text, and from docs/wire the
exact words of the service, which become the title: that is what people search for.

    python -m sigscope.engine.export.manual docs

Beside them it writes the table of the shipped policies.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from sigscope.engine.sending.policytable import policies_page
from sigscope.records import dataclass
from sigscope.refusals.catalogue import CATALOGUE
from sigscope.rules.meanings import Meaning, meaning_of
from sigscope.rules.page import read_page
from sigscope.rules.registry import RULES, rule_named

INDEX = "README.md"
POLICIES = "policies.md"
_CELL = re.compile(r"(?<!\\)\|")
_ROW = re.compile(r'<a id="(?P<anchor>[a-z]{3}-\d+)"></a>(?P<code>[A-Z]{3}-\d+)')
_EXACT = re.compile(r"``(.+?)``")
_ID = re.compile(r"\b[A-Z]{3}-\d+\b")
_LINK = re.compile(r"\]\(([\w-]+\.md)(#[\w-]+)?\)")
_JSON = ("Bad", "Good")


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRow:
    """A row of docs/wire: what a service says where a rule is broken."""

    code: str
    page: str
    """Its file: "gemini.md"."""
    when: str
    said: str
    """Markdown, links relative to docs/rules."""
    checked: str

    @property
    def words(self) -> tuple[str, ...]:
        """The service's exact words; empty where it says nothing of its own."""
        return tuple(_EXACT.findall(self.said))


def read_wire(folder: Path) -> dict[str, WireRow]:
    """The rows about rules, by code. Raises OSError."""
    rows = (told for page in sorted(folder.glob("*.md")) for told in _rows(page))
    return {told.code: told for told in rows}


def _rows(page: Path) -> Iterator[WireRow]:
    heads: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in _CELL.split(line)[1:-1]]
        found = _ROW.match(cells[0]) if cells else None
        if "source" in cells:
            heads = cells
        elif found:
            row = dict(zip(heads, cells, strict=False))
            yield WireRow(
                code=found["code"],
                page=page.name,
                when=_LINK.sub(
                    r"](../wire/\1\2)", row.get("when", row.get("fact", ""))
                ),
                said=_LINK.sub(r"](../wire/\1\2)", row.get("what is said", "")),
                checked=row["checked"],
            )


def make_pages(wire: Mapping[str, WireRow]) -> dict[str, str]:
    """Markdown by the name of its file, the index among them."""
    codes = [rule.code for rule in RULES]
    codes += [entry.rule for entry in CATALOGUE if rule_named(entry.rule) is None]
    codes.sort(key=_order)
    meanings = [meaning for code in codes if (meaning := meaning_of(code))]
    pages = {f"{m.code}.md": "\n".join(_page(m, wire)) for m in meanings}
    return {INDEX: "\n".join(_index(meanings, wire)), **pages}


def _order(code: str) -> tuple[str, int]:
    family, _, number = code.partition("-")
    return family, int(number)


def title_of(meaning: Meaning, wire: Mapping[str, WireRow]) -> str:
    """The exact words; where they are another rule's, its own sentence before them."""
    told = " / ".join(_code(text) for text in _words(meaning.code, wire))
    row = wire.get(meaning.code)
    if told and row and row.words:
        return told
    return ": ".join(filter(None, (meaning.summary.rstrip("."), told)))


def _words(code: str, wire: Mapping[str, WireRow]) -> tuple[str, ...]:
    told = wire.get(code)
    if told is None or told.words:
        return told.words if told else ()
    others = (wire[c] for c in _ID.findall(told.said) if c in wire and c != code)
    return tuple(dict.fromkeys(text for other in others for text in other.words))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _code(text: str) -> str:
    return f"``{text}``" if "`" in text else f"`{text}`"


def _page(meaning: Meaning, wire: Mapping[str, WireRow]) -> Iterator[str]:
    told = wire.get(meaning.code)
    yield f"# {meaning.code}: {title_of(meaning, wire)}"
    yield ""
    rule = rule_named(meaning.code)
    if rule is None:
        yield f"No rule is built yet · {meaning.confidence} · {meaning.api}"
    else:
        card = (f"`{rule.name}`", rule.severity, rule.confidence)
        apis = ", ".join(rule.dialects) or "every API"
        yield " · ".join((*map(str, card), apis))
    yield from ("", meaning.summary)
    if told is not None:
        yield from ("", "## What the service says", "", told.when, "")
        yield _upper(told.said) or "Its words are not known."
        words = () if told.words else _words(meaning.code, wire)
        for text in words:
            yield from ("", f"> {_code(text)}")
    if rule is not None:
        yield from _sections(meaning.code)
    yield from _advice(meaning)
    yield from ("", "## Source", "", f"- {meaning.source}")
    if told is not None:
        link = f"../wire/{told.page}#{meaning.code.lower()}"
        yield f"- [docs/wire/{told.page}]({link}), checked on {told.checked}"
    if rule is not None:
        yield f"- the rule: {rule.confidence}, checked on {rule.checked_on}"
    yield from ("", "---", "")
    yield f"In the terminal: `sigscope explain {meaning.code}`. [All rules]({INDEX})."
    yield ""


def _sections(code: str) -> Iterator[str]:
    rule = rule_named(code)
    assert rule is not None
    for title, text in read_page(rule).sections:
        if title in ("Source", "Confidence", "Checked on"):
            continue
        yield from ("", f"## {title}", "")
        if title in _JSON:
            yield from ("```json", text, "```")
        else:
            yield _upper(text)


def _advice(meaning: Meaning) -> Iterator[str]:
    if meaning.look or meaning.record:
        yield from ("", "## With nothing but the error's text", "")
    if meaning.look:
        yield f"- Look at: {meaning.look.removesuffix('.')}"
    if meaning.record:
        yield f"- Record: {meaning.record.removesuffix('.')}"


def _index(meanings: list[Meaning], wire: Mapping[str, WireRow]) -> Iterator[str]:
    yield from ("# Rules", "")
    yield (
        "What sigscope finds, and what it knows of and does not check yet. The facts "
        "behind them: [docs/wire](../wire/README.md)."
    )
    yield from ("", "| id | name | error text |", "|---|---|---|")
    for meaning in meanings:
        words = " / ".join(_code(t) for t in _words(meaning.code, wire))
        text = (words or "–").replace("|", "\\|")
        name = meaning.name or "*known, not checked*"
        yield f"| [{meaning.code}]({meaning.code}.md) | {name} | {text} |"
    yield ""


def write_pages(docs: Path) -> int:
    """Make `rules` from `wire` in this folder anew; how many pages there are."""
    pages = make_pages(read_wire(docs / "wire"))
    folder = docs / "rules"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return len(pages)


def main() -> int:
    """The make target's entry."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "wire").is_dir():
        sys.stderr.write(
            "usage: python -m sigscope.engine.export.manual FOLDER; it reads"
            " FOLDER/wire and writes FOLDER/rules and FOLDER/policies.md\n"
        )
        return 2
    docs = Path(sys.argv[1])
    count = write_pages(docs)
    (docs / POLICIES).write_text(policies_page(), encoding="utf-8")
    sys.stderr.write(f"{count} pages, and the table of policies\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
