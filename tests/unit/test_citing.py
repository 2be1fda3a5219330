"""Sources are told so that a stranger can follow them."""

from __future__ import annotations

import re

import pytest

from sigscope.citing import BUGS, SECTIONS, cite
from sigscope.engine.conversing import shipped_policies
from sigscope.readymade.registry import READY
from sigscope.rules.page import format_page, page_table
from sigscope.rules.registry import RULES
from sigscope.upstreams.simulator import texts

INTERNAL = re.compile(r"dialects\.md|\bseeds?\b|\b\d+\([a-h]\)|\b1[123]\.\d")
SOURCES = {
    *(ready.source for ready in READY),
    *(rule.source for rule in RULES),
    *(policy.source for policy in shipped_policies()),
    *(t.source for t in vars(texts).values() if isinstance(t, texts.ErrorText)),
}


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_no_source_that_is_told_names_what_only_we_have(source: str) -> None:
    told = cite(source)
    assert not INTERNAL.search(told), told
    assert bool(told) is bool(source)
    assert ", ," not in told
    assert not told.startswith((",", ";", ":"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_no_manual_page_names_what_only_we_have(rule: object) -> None:
    code = getattr(rule, "code", "")
    assert not INTERNAL.search(format_page(code)), code
    (row,) = page_table(code)["rules"]
    assert row["source"]
    assert not any(INTERNAL.search(str(value)) for value in row.values())
    assert f"explain {code}" not in format_page(code), "it is this page"


@pytest.mark.parametrize("ready", READY, ids=lambda ready: ready.name)
def test_no_title_of_a_ready_made_edit_does(ready: object) -> None:
    assert not INTERNAL.search(getattr(ready, "title", ""))


def test_a_section_is_told_as_what_it_rests_on() -> None:
    assert cite("dialects.md 6(c)") == SECTIONS["6"]
    assert cite("dialects.md 11 bugs 4 and 47") == f"{BUGS[4]}, {BUGS[47]}"
    assert cite("dialects.md 3(g): inspect_ai #4979").endswith(", inspect_ai #4979")


def test_the_tag_stays_and_the_rule_is_named_once() -> None:
    told = cite("dialects.md 4(d) CPC-5, 4(e), 4(c) [issue report: pi #1502]")
    assert told.endswith("; sigscope explain CPC-5 [issue report: pi #1502]")
    assert told.count("zed #43024") == 1
    assert cite("dialects.md 4(d) CPC-5 [seed]", of_rule="CPC-5").endswith(
        "zed #43024 [client's notes]"
    )


def test_what_is_public_already_is_told_as_it_is() -> None:
    assert cite("[docs][issue report]") == "[docs] [issue report]"
    assert cite("") == ""
    words = "Google's JSON parser [source code: protobuf tests; public client code]"
    assert cite(words) == words
