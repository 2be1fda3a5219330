"""An error's text in lines for people."""

from __future__ import annotations

from itertools import product

from tests.each import each
from tests.unit.refusals.sentences import SENTENCES

from sigscope.rules.explanation import explain, format_explanation

COMMANDS = ("next", "  more")


@each(product(SENTENCES, [40, 80, 100]))
def test_lines_fit_the_width_but_for_commands(row: tuple[str, int]) -> None:
    rule, width = row
    text = format_explanation(explain(SENTENCES[rule]), width)
    wide = [line for line in text.splitlines() if len(line) > width]
    assert not [line for line in wide if not line.startswith(COMMANDS)]


@each(SENTENCES)
def test_every_rule_says_what_it_means_what_to_look_at_and_what_to_record(
    rule: str,
) -> None:
    found = explain(SENTENCES[rule])
    assert found.is_known
    assert found.told[0].meaning.code == rule
    text = format_explanation(found)
    for label in ("names", "look at", "record", "more", "the error", "next"):
        assert f"{label} " in text, label


def test_causes_that_are_told_in_the_same_words_are_named() -> None:
    text = format_explanation(explain(SENTENCES["GEM-1"]))
    assert "GEM-7 interleaved-results" in text
    assert "KIM-2" in format_explanation(explain(SENTENCES["KIM-1"]))


def test_a_place_that_two_rules_share_is_told_once() -> None:
    text = format_explanation(explain(f"litellm.X: {SENTENCES['GEM-2']}"))
    assert text.index("LLM-2") < text.index("\nGEM-2")
    assert text.count("contents[11]: ") == 1


def test_what_names_no_place_says_so() -> None:
    text = format_explanation(explain(SENTENCES["GEM-4"]))
    assert "the error names no place" in text


def test_a_piece_of_a_sentence_is_only_likely() -> None:
    text = format_explanation(explain("reasoning_content in the thinking mode must …"))
    assert "likely" in text


def test_many_places_are_told_in_one_breath() -> None:
    texts = (
        SENTENCES["GEM-1"].replace("12", str(number)) for number in range(1, 2_000)
    )
    text = format_explanation(explain("\n".join(texts)))
    assert "and 1991 more" in text
    assert " ".join(text.split()).count("counted from 1") == 1


def test_a_limit_leads_to_the_page_that_check_names() -> None:
    text = format_explanation(explain("HTTP 429: Too Many Requests"))
    assert text.startswith("unknown")
    assert "sigscope explain REF-3" in text
