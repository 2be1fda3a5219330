"""Errors are known as people paste them, and nothing else is taken for one."""

from __future__ import annotations

import html
import json
import re
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.refusals.sentences import (
    BODIES,
    CODES,
    SENTENCES,
    anthropic,
    google,
    openai,
)

from sigscope.refusals.pasted import decode, read_pasted
from sigscope.refusals.patterns import PATTERNS

ROOT = Path(__file__).parents[3]
Change = Callable[[str], str]


def rules(text: str) -> list[str]:
    return [spoken.rule for spoken in read_pasted(text).spoken]


# --- What happens to a text on the way ----------------------------------------


def wrap(width: int, indent: str = "") -> Change:
    """A terminal breaks lines at its edge, in the middle of words."""

    def change(text: str) -> str:
        lines = []
        for line in text.split("\n"):
            pieces = [line[at : at + width] for at in range(0, len(line), width)]
            lines.append(f"\n{indent}".join(pieces or [""]))
        return "\n".join(lines)

    return change


def box(left: str, right: str) -> Change:
    def change(text: str) -> str:
        lines = [line[at : at + 76] for line in text.split("\n")
                 for at in range(0, max(1, len(line)), 76)]  # fmt: skip
        inner = "\n".join(f"{left} {line:76} {right}" for line in lines)
        edge = "─" * 78
        return f"╭{edge}╮\n{inner}\n╰{edge}╯"

    return change


def words_wrapped(text: str) -> str:
    return "\n".join(
        textwrap.fill(line, 72, subsequent_indent="     ", break_on_hyphens=False)
        for line in text.split("\n")
    )


WAYS: dict[str, Change] = {
    "wrap 80": wrap(80),
    "wrap 47": wrap(47),
    "wrap 80 indented": wrap(80, "     "),
    "wrap at words": words_wrapped,
    "box": box("│", "│"),
    "ascii box": box("|", "|"),
    "half box": box("┃", ""),
    "json string": json.dumps,
    "json member": lambda text: json.dumps({"error": {"message": text, "code": 400}}),
    "unescaped member": lambda text: f'{{"error":{{"message":"{text}","code":400}}}}',
    "python repr": repr,
    "python bytes": lambda text: repr(text.encode()),
    "no backticks": lambda text: text.replace("`", ""),
    "backticks lost to bold": lambda text: text.replace("`", "**"),
    "fence": lambda text: f"```json\n{text}\n```",
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "bold": lambda text: f"**Error**: *{text}*",
    "smart quotes": lambda text: re.sub(r"['\"]", "”", text),
    "entities": lambda text: html.escape(text).replace("`", "&#96;"),
    "entities twice": lambda text: html.escape(html.escape(text)),
    "colours": lambda text: f"\x1b[31m✖ {text}\x1b[0m",
    "colours in every line": lambda text: text.replace("\n", "\x1b[0m\n\x1b[38;5;9m"),
    "colours without escape": lambda text: f"[31m{text}[0m",
    "provider prefix": lambda text: f"[gemini-cli/gemini-3-flash] [400]: {text}",
    "api error": lambda text: f"  ⎿  API Error: 400 {text}",
    "gemini-cli": lambda text: f"✕ [API Error: {text}]",
    "timestamp": lambda text: f"2026-01-01T12:00:00.123Z ERROR [llm] {text}",
    "docker": lambda text: "\n".join(
        f"litellm-1  | {line}" for line in text.split("\n")
    ),
    "stack after": lambda text: (
        f"Error: {text}\n    at post (file:///app/x.js:1073:14)"
    ),
    "stack before": lambda text: f'Traceback:\n  File "a.py", line 3, in f\nE: {text}',
    "curl": lambda text: f"HTTP/2 400\r\ncontent-type: application/json\r\n\r\n{text}",
    "percent": quote,
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "chatter": lambda text: f"Hi, since yesterday I get this:\n\n{text}\n\nAny ideas?",
}


def unknown(done: Callable[[str], str]) -> dict[str, str]:
    """The sentences that are not known any more once this was done to them."""
    texts = {rule: done(sentence) for rule, sentence in SENTENCES.items()}
    return {rule: text for rule, text in texts.items() if rule not in rules(text)}


@pytest.mark.parametrize("way", WAYS)
def test_a_sentence_is_known_whatever_was_done_to_it(way: str) -> None:
    assert unknown(WAYS[way]) == {}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_a_sentence_is_known_in_every_service_s_body(
    body: Callable[[str], str],
) -> None:
    assert unknown(body) == {}


@pytest.mark.parametrize("rule", CODES)
def test_a_code_is_known_in_every_body_and_wrap(rule: str) -> None:
    message, code = CODES[rule]
    for body in (openai, google, anthropic):
        text = body(message, code)
        for way in (str, json.dumps, repr, wrap(80), box("│", "│"), wrap(13)):
            assert rules(way(text)) == [rule], way(text)


INSIDE = ("json string", "json member", "unescaped member", "python repr",
          "python bytes")  # fmt: skip
SAID_BY = ("provider prefix", "api error", "gemini-cli", "timestamp", "stack after",
           "stack before", "curl")  # fmt: skip
SHOWN_IN = ("wrap 80", "wrap 47", "wrap 80 indented", "wrap at words", "box",
            "ascii box", "half box", "colours", "colours without escape", "docker",
            "windows lines")  # fmt: skip
PASTED_INTO = ("no backticks", "backticks lost to bold", "fence", "quoted", "bold",
               "smart quotes", "entities", "chatter")  # fmt: skip


def chain(ways: tuple[str, ...], most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(ways), max_size=most)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(
    rule=st.sampled_from(sorted(SENTENCES)),
    body=st.sampled_from(BODIES),
    ways=st.tuples(
        chain(INSIDE, 3), chain(SAID_BY, 2), chain(SHOWN_IN, 1), chain(PASTED_INTO, 2)
    ),
)
def test_a_text_is_known_after_the_whole_way_from_the_service_to_the_chat(
    rule: str,
    body: Callable[[str], str],
    ways: tuple[list[str], ...],
) -> None:
    """Gateways escape it, a client says it, a terminal shows it, a chat takes it."""
    text = body(SENTENCES[rule])
    for way in (way for part in ways for way in part):
        text = WAYS[way](text)
    assert rule in rules(text), text


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_an_error_in_a_web_address_is_known(body: Callable[[str], str]) -> None:
    for rule, sentence in SENTENCES.items():
        assert rule in rules(f"https://host.example/new?body={quote(body(sentence))}")


@settings(deadline=None, max_examples=100)
@given(rule=st.sampled_from(sorted(SENTENCES)), width=st.integers(20, 120))
def test_the_width_of_the_terminal_never_matters(rule: str, width: int) -> None:
    plain = read_pasted(SENTENCES[rule])
    wrapped = read_pasted(wrap(width, "  ")(openai(SENTENCES[rule])))
    assert rule in [spoken.rule for spoken in wrapped.spoken]
    (first,) = [s for s in plain.spoken if s.rule == rule]
    (second,) = [s for s in wrapped.spoken if s.rule == rule]
    assert second.positions == first.positions
    assert second.functions == first.functions


def test_every_rule_with_words_has_a_sentence_or_a_code_here() -> None:
    told = set(SENTENCES) | set(CODES) | {"GEM-3", "ORT-2", "CPC-6"}
    assert {pattern.rule for pattern in PATTERNS} == told


# --- What is read from it -----------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "said", "node"),
    [
        ("GEM-1", "position 12", "contents[11]"),
        ("GEM-2", "position 12", "contents[11]"),
        ("GEM-6", "contents[4].parts[1]", "contents[4].parts[1]"),
        ("ANT-1", "messages.3.content.12", "messages[3].content[12]"),
        ("ANT-2", "messages.3.content.0", "messages[3].content[0]"),
        ("ANT-9", "messages.3", "messages[3]"),
        ("RSP-6", "input[2]", "input[2]"),
        ("DSK-1", "index 12", "messages[12]"),
        ("KIM-1", "index 12", "messages[12]"),
    ],
)
def test_the_place_is_counted_as_the_service_counts(
    rule: str, said: str, node: str
) -> None:
    (spoken,) = read_pasted(SENTENCES[rule]).spoken
    assert [(p.said, p.node) for p in spoken.positions] == [(said, node)]


def test_the_prefix_that_google_puts_before_a_function_s_name_is_gone() -> None:
    for rule in ("GEM-1", "GEM-2"):
        (spoken,) = read_pasted(SENTENCES[rule]).spoken
        assert spoken.functions == ("list_files",)


def test_several_errors_in_one_text_are_all_told() -> None:
    text = "\n\n".join(
        f"ERROR {google(SENTENCES[rule])}" for rule in ("GEM-1", "ANT-1", "RSP-1")
    )
    text += SENTENCES["GEM-1"].replace("position 12", "position 20")
    found = {spoken.rule: spoken for spoken in read_pasted(text).spoken}
    assert {"GEM-1", "ANT-1", "RSP-1"} <= set(found)
    nodes = [place.node for place in found["GEM-1"].positions]
    assert nodes == ["contents[11]", "contents[19]"]


def test_a_number_at_the_end_of_a_torn_text_is_not_made_longer() -> None:
    text = SENTENCES["KIM-1"] + "\n2026-01-01 12:00:00 INFO ready"
    (spoken,) = read_pasted(text).spoken
    assert spoken.positions[0].node == "messages[12]"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Function call is missing a thought_signature [truncated] position 12.",
         "GEM-1"),
        ("Unable to submit request because function call `ls` in the 5. content bl…",
         "GEM-2"),
        ("Item 'rs_0c…' of type 'reasoning' was provided with…", "RSP-1"),
        ("The `reasoning_content` in the thinking mode must be pas...", "DSK-2"),
        ("thinking is enabled but reasoning_content is missing … index 3", "KIM-1"),
        ("… bound to a different conversation. Remove the block", "ANT-6"),
        ("Please ensure that the number of function response parts is eq", "GEM-18"),
    ],
)  # fmt: skip
def test_what_was_left_out_does_not_hide_the_rule(text: str, rule: str) -> None:
    assert rules(text) == [rule]


@pytest.mark.parametrize(
    ("text", "own", "behind"),
    [
        (f"litellm.BadRequestError: {SENTENCES['GEM-2']}", "LLM-2", "GEM-2"),
        (f"{SENTENCES['ORT-1']} Upstream error: {google(SENTENCES['GEM-2'])}",
         "ORT-1", "GEM-2"),
        (f"(ValidationException): {SENTENCES['ANT-4']}", "BED-1", "ANT-4"),
        (openai(SENTENCES["ANT-1"], "invalid_request_body"), "CPC-5", "ANT-1"),
        (f"POST /v1beta/openai/chat/completions {SENTENCES['GEM-1']}",
         "GOC-1", "GEM-1"),
    ],
)  # fmt: skip
def test_a_gateway_s_own_rule_is_told_before_the_service_s(
    text: str, own: str, behind: str
) -> None:
    assert rules(text)[:2] == [own, behind]


def test_the_innermost_sentence_and_its_wrappings_are_shown() -> None:
    inner = openai("Some words that nobody knows.")
    found = read_pasted(f"ERROR 2026 Request failed: {google(inner)}")
    assert found.sentence == "Some words that nobody knows."
    assert found.layers
    assert not found.spoken


PAYLOAD = "Invalid input: expected string, received undefined"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"path": ["messages", 2, "reasoning_details", 0, "data"],
                    "message": PAYLOAD}),
        json.dumps({"message": PAYLOAD,
                    "path": ["messages", 2, "reasoning_details", 0, "data"]}),
        f"messages.2.reasoning_details.0.data: {PAYLOAD}",
        openai(json.dumps([{"code": "invalid_type", "expected": "string",
                            "path": ["messages", 2, "reasoning_details", 0, "data"],
                            "message": PAYLOAD}])),
    ],
)  # fmt: skip
def test_an_entry_without_its_payload_is_known_by_its_path(text: str) -> None:
    assert rules(text) == ["ORT-2"]
    assert rules(wrap(40)(text)) == ["ORT-2"]
    assert not rules(text.replace("reasoning_details", "tool_calls"))
    assert not rules(f"{PAYLOAD} at path reasoning_details")


def test_piped_bytes_become_text_whatever_they_are() -> None:
    assert decode("Corrupted".encode("utf-16")) == "Corrupted"
    assert rules(decode(b"\xff\x00 Corrupted thought signature. \xc3")) == ["GEM-4"]


# --- What is no error of these ------------------------------------------------

UNRELATED = (
    ("HTTP 401: Incorrect API key provided: sk-abc.", "key"),
    (openai("You exceeded your current quota", "insufficient_quota"), "limit"),
    ("Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4o'}}",
     "limit"),
    (google("API key not valid. Please pass a valid API key."), "key"),
    (anthropic("Overloaded", "overloaded_error"), "service"),
    (openai("This model's maximum context length is 8192 tokens.",
            "context_length_exceeded"), "length"),
    (google("The input token count (1200000) exceeds the maximum number of tokens"
            " allowed (1048576)."), "length"),
    (openai("The model `gpt-9` does not exist or you do not have access to it.",
            "model_not_found"), "model"),
    (google("models/gemini-9 is not found for API version v1beta", "NOT_FOUND"),
     "model"),
    (openai("The response was filtered", "content_filter"), "filter"),
    (google("Invalid JSON payload received. Unexpected token."), "body"),
    ("Error: connect ECONNREFUSED 127.0.0.1:4000", "line"),
    (openai("No tool call found for local shell call output with call_id call_1."),
     "pairs"),
    ("HTTP/1.1 503 Service Unavailable", "service"),
    (google("Request contains an invalid argument."), None),
    ("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n"
     "KeyError: 'message'", None),
    ("TypeError: Cannot read properties of undefined (reading 'signature')", None),
    ("error: invalid signature for commit 1a2b3c; thinking about blocks", None),
    ("Signature verification failed: Invalid signature in block 7", None),
    ("The thought signature list is corrupted; invalid thought signatures are kept",
     None),
    ("We should preserve reasoning details in each request to OpenRouter.", None),
    ("invalid request body", "bare"),
    ("HTTP 400: invalid request body", "bare"),
    ("the invalid request body of step 3 was kept", None),
    ("Hello, world. This is an ordinary text … with something left out.", None),
    ("{}", None),
    ("…", None),
    ("[]()<>{{{'''\\\\\\", None),
)  # fmt: skip


@pytest.mark.parametrize(("text", "topic"), UNRELATED)
def test_other_errors_get_no_rule_and_are_named_where_that_is_sure(
    text: str, topic: str | None
) -> None:
    for way in (str, wrap(60), box("│", "│"), lambda t: f"> {t}"):
        found = read_pasted(way(text))
        assert not found.spoken
        assert found.topic == topic


def test_our_own_words_name_no_rule() -> None:
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"):
        whole = (ROOT / name).read_text()
        for text in (whole, *whole.split("\n\n")):
            assert not rules(text), (name, text[:200])


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert read_pasted(text).sentence is not None


# --- Cost ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "2026-01-01 INFO all is well with request {\"id\": 7}\n",
        "messages.1.content.1 function call ",
        "{'error': {'message': ",
        '{\\"error\\":{\\"message\\":\\"x\\"}}\n',
        "\x1b[31m│ > | ",
        "\\",
        "&amp;",
        "Invalid thought signature",
    ],
)  # fmt: skip
def test_a_long_log_is_read_in_time_that_grows_with_it(line: str) -> None:
    def cost(size: int) -> float:
        text = line * (size // len(line)) + "\n" + SENTENCES["GEM-2"]
        began = time.process_time()
        assert "GEM-2" in rules(text)
        return time.process_time() - began

    cost(1000)
    small = min(cost(60_000) for _ in range(2))
    assert cost(480_000) < 0.1 + 30 * small
