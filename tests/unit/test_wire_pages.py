"""Every fact of docs/wire can be linked, has a source, a confidence and a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope.dialects.base import Dialect
from sigscope.dialects.registry import DIALECTS
from sigscope.fingerprints.keys import KEYS as GEMINI_KEYS
from sigscope.refusals.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
WIRE = ROOT / "docs" / "wire"
PAGES = sorted(WIRE.glob("*.md"))
KEYS = WIRE / "fingerprints.md"
HOW_SURE = {"documented", "observed", "reported", "inferred", "contested"}
PUBLIC = re.compile(
    r"\[(?P<label>[A-Z-]+)\]( \(.+\))?"
    r"|https://\S+"
    r"|recordings of [\w.-]+/[\w.-]+"
    r"|own measurement( with|:) .+"
    r"|github\.com/[\w.-]+/[\w.-]+"
    r"|[\w.-]+/[\w.-]+(#\d+|:\S+)?( \(.+\))?"
    r"|[\w.-]+ #\d+"  # as a report names it, without the owner
)
CITED = re.compile(r"docs/wire/([\w-]+\.md)(?:#([\w-]+))?")
ID = re.compile(r"[A-Z]{3}-\d+")


def rows(page: Path) -> Iterator[dict[str, str]]:
    """The rows of all tables of facts: those that have a column `source`."""
    heads: list[str] = []
    for line in page.read_text().splitlines():
        if not line.startswith("|"):
            heads = []
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not heads:
            heads = cells
        elif "source" in heads and not set(line) <= set("|- "):
            assert len(cells) == len(heads), f"{page.name}: {line}"
            yield dict(zip(heads, cells, strict=True))


def anchors(page: Path) -> list[str]:
    """What can be linked on a page: headings, as GitHub names them, and ids."""
    text = page.read_text()
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = [re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in heads]
    return slugs + re.findall(r'<a id="([^"]+)"></a>', text)


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@each_page
def test_every_row_has_an_id_a_public_source_a_confidence_and_a_date(
    page: Path,
) -> None:
    text = page.read_text()
    labels = set(re.findall(r"^\[([A-Z-]+)\]: https://\S+$", text, re.MULTILINE))
    for row in rows(page):
        assert re.match(r'<a id="[a-z0-9-]+"></a>\S', row["id"]), row
        assert row["confidence"] in HOW_SURE, row
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", row["checked"]), row
        for source in row["source"].split("; "):
            found = PUBLIC.fullmatch(source)
            assert found, (row["id"], source)
            assert not found["label"] or found["label"] in labels, source


@each_page
def test_a_row_is_named_as_its_anchor(page: Path) -> None:
    for row in rows(page):
        anchor, name = re.findall(r'"([^"]+)"></a>(\S+)', row["id"])[0]
        assert anchor == name.lower() or ID.fullmatch(name) is None, row["id"]


@each_page
def test_an_anchor_stands_once(page: Path) -> None:
    ids = re.findall(r'<a id="([^"]+)"></a>', page.read_text())
    assert len(set(ids)) == len(ids)


@each_page
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(
        r"\]\(([\w./-]+\.md)?(?:#([\w-]+))?\)", page.read_text()
    ):
        other = (page.parent / target).resolve() if target else page
        assert other.is_file(), target
        assert not anchor or anchor in anchors(other), (target, anchor)


def test_every_dialect_has_a_page_with_what_one_looks_for() -> None:
    for dialect in DIALECTS:
        page = WIRE / f"{dialect.name}.md"
        assert page.is_file(), dialect.name
        wanted = {"endpoints", "carriers", "policy", "rules", "wrong-placements"}
        assert wanted | {"bypass", "silent", "sources"} <= set(anchors(page))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_place_that_is_read_for_a_signature_is_told(dialect: Dialect) -> None:
    text = (WIRE / f"{dialect.name}.md").read_text()
    for carrier in dialect.carriers:
        for path in (*carrier.request, *carrier.response, *carrier.event):
            member = path.removesuffix("/*").rpartition("/")[2]
            assert not carrier.is_read or member in text, (carrier.name, path)


def test_the_key_ids_are_those_that_the_code_knows() -> None:
    told = {
        row["key id"].strip("`"): row["surface"]
        for row in rows(KEYS)
        if "key id" in row
    }
    names = {"ai-studio": "AI Studio", "vertex": "Vertex"}
    assert told == {key: names[of.surface] for key, of in GEMINI_KEYS.items()}


def test_every_rule_id_that_is_known_has_a_row() -> None:
    told = {
        name.upper()
        for page in PAGES
        for name in anchors(page)
        if ID.fullmatch(name.upper())
    }
    assert {entry.rule for entry in CATALOGUE} <= told


def test_every_page_and_row_that_the_code_cites_is_there() -> None:
    cited = {
        (name, anchor)
        for path in (ROOT / "app").rglob("*")
        if path.suffix in (".py", ".toml")
        for name, anchor in CITED.findall(path.read_text())
    }
    assert len(cited) > 20
    missing = {name for name, _ in cited if not (WIRE / name).is_file()}
    assert missing == set()
    rows_there = {page.name: {"", *anchors(page)} for page in PAGES}
    assert {c for c in cited if c[1] not in rows_there[c[0]]} == set()
