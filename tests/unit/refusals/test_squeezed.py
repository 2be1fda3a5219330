"""What the way does to a text does not change what is left of it."""

import json
import textwrap
import time

import pytest

from sigscope.refusals.squeezed import Squeezed

WORDS = "function call `default_api:list_files` in the 2. content block is missing"
PLAIN = "functioncalldefaultapi:listfilesinthe2.contentblockismissing"


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        WORDS.upper(),
        WORDS.replace("`", ""),
        WORDS.replace(" ", "\n"),
        json.dumps(WORDS)[1:-1],
        json.dumps(json.dumps(json.dumps(WORDS)))[3:-3],
        WORDS.replace("`", "\\u0060").replace(" ", "\\n", 2),
        WORDS.replace("`", "&amp;#x60;"),
        WORDS.replace("`", "**"),
        WORDS.replace("_", "\\_"),
        WORDS.replace("`default_api", '<code class="x">default_api').replace(
            "`", "</code>"
        ),
        WORDS.replace("`default_api", "{{default_api").replace("`", "}}"),
        "\n".join(f"│ {line} │" for line in textwrap.wrap(WORDS, 20)),
        "\n".join(f"> {line}" for line in textwrap.wrap(WORDS, 20)),
        "\n".join(f"web-1  | {line}" for line in textwrap.wrap(WORDS, 20)),
        "\x1b[31m" + WORDS[:30] + "\x1b[0;1m" + WORDS[30:] + "[0m",
        "\n  ".join(WORDS[at : at + 7] for at in range(0, len(WORDS), 7)),
    ],
)
def test_what_terminals_and_gateways_do_is_undone(text: str) -> None:
    assert Squeezed(text).text == PLAIN


def test_a_name_keeps_its_spelling() -> None:
    text = Squeezed("call `default_api:Read\\_Fi\n│   les` here")
    at = text.text.index("readfiles")
    assert text.word(at, at + 9, is_open=False) == "Read_Files"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("reasoning_content is missing at index 1 2", "1"),
        (
            "reasoning_content is missing at index 1\n2026-01-01 the next line is long",
            "1",
        ),
        ("thinking is enabled but reasoning_content is missing at index 1\n2", "12"),
    ],
)
def test_a_number_at_the_end_goes_on_only_where_a_full_line_ends(
    text: str, number: str
) -> None:
    squeezed = Squeezed(text)
    start = squeezed.text.index("index") + 5
    assert squeezed.word(start, start + 2, is_open=True) == number


def test_words_within_longer_words_are_not_apart() -> None:
    text = Squeezed("an invalid thought signatures list")
    start = text.text.index("invalid")
    assert not text.is_apart(start, start + len("invalidthoughtsignature"))
    assert text.is_apart(start, start + len("invalidthoughtsignatures"))


@pytest.mark.parametrize(
    "piece", ["\\", "[3;", "\x1b]", "&amp;", "1  ", "\n1", "|", "-"]
)
def test_the_cost_grows_with_the_text_and_no_faster(piece: str) -> None:
    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        began = time.process_time()
        Squeezed(text)
        return time.process_time() - began

    small = min(cost(50_000) for _ in range(3))
    assert cost(400_000) < 0.05 + 40 * small


def test_places_are_found_again_in_a_long_text() -> None:
    filler = "a line of some log, with 'quotes' and more\n" * 3_000
    for at in (0, len(filler)):
        text = Squeezed(f"{filler[:at]}here `the_Mark` is\n{filler[at:]}")
        start = text.text.index("themark")
        assert text.written(start, start + 7) == "the_Mark"


def test_words_across_a_wrap_are_whole_at_any_place_of_a_long_text() -> None:
    for pad in range(32_740, 32_790, 7):
        text = Squeezed("x" * pad + "\n" + "thought_\nsignature " + "y\n" * 40_000)
        start = text.text.index("thoughtsignature")
        assert text.word(start, start + 16, is_open=False) == "thought_signature"
