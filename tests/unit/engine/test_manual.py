"""docs/rules: made from the rules and docs/wire, with the exact words in the titles."""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import replace
from pathlib import Path

from tests.each import each

from sigscope.engine.export.manual import INDEX, WireRow, make_pages, read_wire
from sigscope.refusals.catalogue import CATALOGUE
from sigscope.refusals.pasted import read_pasted
from sigscope.rules.page import page_path
from sigscope.rules.registry import RULES
from sigscope.upstreams import simulator
from sigscope.upstreams.simulator import texts

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
WIRE = read_wire(DOCS / "wire")
PAGES = make_pages(WIRE)
CODES = sorted({rule.code for rule in RULES} | {entry.rule for entry in CATALOGUE})
FILLED = {  # what the pattern wants to be a number, or to see beside the words
    "[I]": "[1]",
    "[J]": "[0]",
    "position N, part position M": "position 2, part position 1",
    "received undefined": "received undefined at reasoning_details.0.data",
}
OTHERS = {  # words that two rules share; which of them it is the request tells
    "BED-2": "LLM-6",
    "CPC-5": "ANT-1",
    "GEM-16": "GEM-4",
}


def test_the_folder_is_what_the_rules_make() -> None:
    there = {path.name: path.read_text() for path in (DOCS / "rules").glob("*.md")}
    different = {
        name for name in {*there, *PAGES} if there.get(name) != PAGES.get(name)
    }
    assert not different, "run: make pages"


@each(CODES)
def test_every_rule_id_has_a_page_and_a_row_in_the_index(code: str) -> None:
    assert PAGES[f"{code}.md"].startswith(f"# {code}: ")
    assert f"| [{code}]({code}.md) |" in PAGES[INDEX]
    assert (ROOT / page_path(code)).is_file()


@each(WIRE.values(), lambda told: told.code)
def test_the_title_has_the_exact_words(told: WireRow) -> None:
    title = PAGES[f"{told.code}.md"].splitlines()[0]
    assert all(text in title for text in told.words)


@each([(told.code, text) for told in WIRE.values() for text in told.words])
def test_the_words_of_a_row_are_known_as_those_of_its_rule(
    row: tuple[str, str],
) -> None:
    code, text = row
    for slot, filled in FILLED.items():
        text = text.replace(slot, filled)
    spoken = {found.rule for found in read_pasted(text).spoken}
    if code == "LLM-2":  # how the proxy wraps: what it wraps is GEM-2
        assert text.startswith("litellm.")
    else:
        assert OTHERS.get(code, code) in spoken


def test_other_words_on_the_wire_are_another_title() -> None:
    told = WIRE["GEM-4"]
    changed = {**WIRE, "GEM-4": replace(told, said="400 ``Something else.``")}
    assert make_pages(changed)["GEM-4.md"].startswith("# GEM-4: `Something else.`\n")


def test_a_rule_without_words_of_its_own_shows_those_it_names() -> None:
    page = PAGES["GEM-7.md"]
    assert WIRE["GEM-1"].words[0] in page.splitlines()[0]
    assert WIRE["GEM-2"].words[0] in page.splitlines()[0]


def _error_texts() -> dict[str, texts.ErrorText]:
    """Every text with a rule id that the simulator says, by where it stands."""
    found = {}
    for info in pkgutil.walk_packages(simulator.__path__, f"{simulator.__name__}."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if isinstance(value, texts.ErrorText) and value.rule:
                found[f"{value.rule} {name}"] = value
    return found


ERRORS = _error_texts()


@each(ERRORS.values())
def test_the_simulator_says_what_the_wire_page_quotes(error: texts.ErrorText) -> None:
    pieces = re.split(r"\{\w+\}", error.text)
    said = ".*?".join(re.escape(piece).replace(r"\.0:", r"\.\w:") for piece in pieces)
    title = PAGES[f"{error.rule}.md"].splitlines()[0]  # those it refers to, too
    begun = re.escape(max(pieces, key=len).strip(' .:"')[:60])
    assert re.search(said, title) or re.search(begun, title)
