"""Every rule has its card, its page and its file; nothing claims more than it knows."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

from tests.each import each

from sigscope.rules import registry
from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds import unreasoned
from sigscope.rules.page import SECTIONS, read_page
from sigscope.rules.registry import RULES, rule_named

FAMILIES = {
    "GEM": 18,
    "ORT": 8,
    "CPC": 9,
    "LLM": 8,
    "ANT": 11,
    "RSP": 14,
    "GOC": 4,
    "DSK": 4,
    "SES": 10,
    "REF": 4,
}
FOLDERS = {
    "GEM": "gemini",
    "ORT": "openrouter",
    "CPC": "copilot_chat",
    "LLM": "litellm",
    "ANT": "anthropic",
    "RSP": "responses",
    "GOC": "gemini_openai",
    "DSK": "deepseek",
    "SES": "session",
    "REF": "refusal",
}
ON_CARD = ("Source:", "Confidence:", "Checked on:")
OWN = {
    "GEM": "gemini",
    "ORT": "openrouter",
    "CPC": "copilot-chat",
    "LLM": "litellm",
    "ANT": "anthropic",
    "RSP": "responses",
    "GOC": "gemini-openai",
    "DSK": "deepseek",
}

each_rule = each(RULES, lambda rule: rule.code)


def test_the_rules_are_those_of_the_reference_in_its_order() -> None:
    wanted = [
        f"{family}-{n}"
        for family, count in FAMILIES.items()
        for n in range(1, count + 1)
    ]
    assert [rule.code for rule in RULES] == wanted


def test_no_file_of_a_rule_is_left_out() -> None:
    root = Path(registry.__file__).parent
    files = {path.stem for path in root.glob("*/*_[0-9]*_*.py")}
    stems = {f"{rule.code}_{rule.name}".lower().replace("-", "_") for rule in RULES}
    assert files == stems


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@each_rule
def test_the_file_is_named_after_code_and_name(rule: Rule) -> None:
    family = rule.code.partition("-")[0]
    stem = f"{rule.code}_{rule.name}".lower().replace("-", "_")
    module = import_module(f"sigscope.rules.{FOLDERS[family]}.{stem}")
    assert module.RULE is rule
    assert rule.page == module.__doc__ or is_filled(unreasoned.PAGE, rule.page)


def is_filled(template: str, page: str | None) -> bool:
    """Whether a page is its kind's, with the slots filled."""
    fixed = re.split(
        r"\\{\w+\\}", re.escape(template.replace("{{", "{").replace("}}", "}"))
    )
    return re.fullmatch(".*".join(fixed), page or "", re.DOTALL) is not None


@each_rule
def test_the_page_has_every_section_once_and_in_order(rule: Rule) -> None:
    page = read_page(rule)
    assert tuple(title for title, _ in page.sections) == SECTIONS
    assert all(text for _, text in page.sections)
    assert page.summary.endswith(".")


@each_rule
def test_bad_and_good_are_one_line_of_json_that_differ(rule: Rule) -> None:
    shown = dict(re.findall(r"^(Bad|Good): +(.*)$", rule.manual, re.MULTILINE))
    bad, good = json.loads(shown["Bad"]), json.loads(shown["Good"])
    assert bad != good


@each_rule
def test_what_is_on_the_card_stands_in_no_page(rule: Rule) -> None:
    said = [line for line in rule.manual.splitlines() if line.startswith(ON_CARD)]
    assert said == []
    told = dict(read_page(rule).sections)
    assert told["Checked on"] == f"{rule.checked_on}."
    assert told["Confidence"] == f"{rule.confidence}."
    assert told["Source"] == rule.reference


@each_rule
def test_the_source_says_where_and_of_what_kind(rule: Rule) -> None:
    if not _is_ours(rule):
        assert rule.is_last_word or f"#{rule.code.lower()}" in rule.reference
    assert re.search(r"\[[^]]*(docs|notes|issue report|source code)", rule.reference)


@each_rule
def test_the_date_is_a_date(rule: Rule) -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", rule.checked_on)


@each_rule
def test_an_inferred_fact_is_no_error(rule: Rule) -> None:
    if rule.confidence is Confidence.INFERRED:
        assert rule.severity is not Severity.ERROR


@each_rule
def test_a_rule_speaks_its_own_dialect(rule: Rule) -> None:
    if rule.is_last_word:
        assert rule.dialects == ()
        assert rule.hears_all_errors
    elif _is_ours(rule):
        assert rule.dialects
    else:
        assert OWN[rule.code.partition("-")[0]] in rule.dialects


def _is_ours(rule: Rule) -> bool:
    """Whether the notes have no name for what it finds."""
    return rule.code.startswith("SES-")


def test_a_rule_is_found_whatever_the_case() -> None:
    found = rule_named("cpc-1")
    assert found is not None
    assert found.code == "CPC-1"
    assert rule_named("CPC-0") is None
