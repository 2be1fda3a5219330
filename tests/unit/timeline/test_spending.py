"""Tokens, the first token, and costs by the user's prices: unknown is not zero."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import read, sse

from sigscope.cli.main import run
from sigscope.conversation import Usage
from sigscope.engine.settings.prices import own_prices
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.reader import Reading
from sigscope.timeline.spending import (
    Price,
    PriceTable,
    money,
    spending_of,
    total_of,
)

PRICE = Price(model="m*", input=2.0, output=10.0, cached=0.5, written=3.0)
TABLE = PriceTable(prices=(PRICE,))
SESSIONS = Path(__file__).parents[3] / "sessions"
FILE = str(SESSIONS / "copilot-missing-signature.session.jsonl")
ROUTER = "https://openrouter.ai/api/v1/chat/completions"
CLAUDE = "https://api.anthropic.com/v1/messages"


def answered(usage: Any, *, url: str = ROUTER, status: int = 200) -> Reading:
    message = {"role": "assistant", "content": "Done."}
    body: dict[str, Any] = {"model": "m1", "choices": [{"message": message}]}
    if url == CLAUDE:
        content = [{"type": "text", "text": "Done."}]
        body = {"type": "message", "role": "assistant", "model": "m1"}
        body["content"] = content
    if usage is not None:
        body["usage"] = usage
    asked = {"model": "m1", "messages": [{"role": "user", "content": "Do."}]}
    said = Body(json.dumps(body).encode())
    (reading,) = read(
        [
            Exchange(
                request=Request(url=url, body=Body(json.dumps(asked).encode())),
                response=Response(status=status, body=said),
            )
        ]
    )
    return reading


def test_cache_reads_are_a_part_of_the_prompt_in_the_shape_of_openai() -> None:
    one = spending_of(
        answered(
            {
                "prompt_tokens": 1_000_000,
                "completion_tokens": 100_000,
                "prompt_tokens_details": {"cached_tokens": 400_000},
                "completion_tokens_details": {"reasoning_tokens": 60_000},
            }
        ),
        TABLE,
    )
    assert (
        one.words
        == "1,000,000 tokens in (400,000 cached), 100,000 out (60,000 reasoning)"
    )
    assert one.cost == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10)


def test_anthropic_counts_cache_reads_and_writes_beside_the_input() -> None:
    usage = {
        "input_tokens": 100,
        "cache_read_input_tokens": 3000,
        "cache_creation_input_tokens": 200,
        "output_tokens": 50,
    }
    one = spending_of(answered(usage, url=CLAUDE), TABLE)
    assert one.usage.prompt == 3300
    assert one.words == "3,300 tokens in (3,000 cached, 200 written to cache), 50 out"
    spent = (100 * 2 + 3000 * 0.5 + 200 * 3 + 50 * 10) / 1_000_000
    assert one.cost == pytest.approx(spent)


def test_reasoning_that_is_counted_beside_the_completion_is_paid_for() -> None:
    beside = {"prompt_tokens": 300, "completion_tokens": 8, "reasoning_tokens": 211}
    one = spending_of(answered(beside), TABLE)
    assert one.usage.completion == 219
    total = {**beside, "reasoning_tokens": 5, "total_tokens": 313}
    assert spending_of(answered(total), TABLE).usage.completion == 13


def test_without_a_count_nothing_is_known() -> None:
    one = spending_of(answered(None), TABLE)
    assert (one.usage, one.words, one.cost) == (Usage(), "", None)


def test_a_price_that_is_not_given_makes_no_cost() -> None:
    bare = Price(model="m1", input=2.0, output=10.0)
    counted = Usage(prompt=100, completion=10, cached=50)
    assert bare.of(counted) is None
    assert bare.of(Usage(prompt=100, completion=10)) == pytest.approx(0.0003)
    assert bare.of(Usage(prompt=100)) is None
    assert PriceTable(prices=(bare,)).price("another") is None


def test_sums_say_what_they_leave_out() -> None:
    known = {"prompt_tokens": 100, "completion_tokens": 10}
    readings = [answered(known), answered(None), answered(None, status=500)]
    for number, reading in enumerate(readings, start=1):
        reading.number = number
    total = total_of(readings, [spending_of(each, TABLE) for each in readings])
    assert (total.usage.prompt, total.usage.completion) == (100, 10)
    assert (total.uncounted, total.unpriced) == (1, 1)
    assert total.cost == pytest.approx(0.0003)
    assert total.usage.cached is None


def test_the_first_token_is_no_head_of_the_stream() -> None:
    head = {"choices": [{"index": 0, "delta": {"role": "assistant"}}]}
    word = {"choices": [{"index": 0, "delta": {"content": "Done."}}]}
    first = sse(head)
    body = first + sse(word)
    chunks = (Chunk(at_ms=100, end=len(first)), Chunk(at_ms=900, end=len(body)))
    headers = (("content-type", "text/event-stream"),)
    response = Response(status=200, headers=headers, body=Body(body), chunks=chunks)
    asked = Body(b'{"model": "m1", "messages": []}')
    (reading,) = read(
        [Exchange(request=Request(url=ROUTER, body=asked), response=response)]
    )
    assert spending_of(reading).first_token_ms == 900


def test_small_sums_keep_their_digits() -> None:
    assert (money(0.01234, "USD"), money(12.345, "EUR")) == ("0.0123 USD", "12.35 EUR")


# --- The user's file, and `show` ------------------------------------------------------


def config(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str | None) -> None:
    monkeypatch.setenv("SIGSCOPE_CONFIG_DIR", str(folder))
    if text is not None:
        (folder / "prices.toml").write_text(text)


def test_without_a_file_no_cost_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config(monkeypatch, tmp_path, None)
    assert run(["show", FILE]) == 0
    told = capsys.readouterr().out
    assert "309 tokens in (0 cached), 219 out (211 reasoning), first token" in told
    assert "cost" not in told
    assert "USD" not in told


def test_with_a_file_costs_are_told_by_step_and_in_all(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = 'currency = "EUR"\n["gemini-3-*"]\ninput = 1\noutput = 10\ncached = 0\n'
    config(monkeypatch, tmp_path, text)
    assert run(["show", FILE, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"][0]["cost"] == pytest.approx((309 + 2190) / 1_000_000)
    assert told["steps"][1]["cost"] is None
    assert told["totals"]["currency"] == "EUR"
    assert told["totals"]["uncounted"] == 0
    costs = [step["cost"] for step in told["steps"] if step["cost"] is not None]
    assert told["totals"]["cost"] == pytest.approx(sum(costs))
    run(["show", FILE])
    assert "EUR" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[", "not TOML"),
        ("m = 3", "m is no table"),
        ("[m]\ninput = 1", "has no output"),
        ("[m]\ninput = 1\noutput = -2", "is no price"),
        ('[m]\ninput = 1\noutput = "2"', "is no price"),
        ("[m]\ninput = 1\noutput = inf", "is no price"),
        ("[m]\nin = 1", "has no in; it may have"),
        ("currency = 3", "currency is no text"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(
    text: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(monkeypatch, tmp_path, text)
    found = own_prices()
    assert not found.table
    assert len(found.problems) == 1
    assert problem in found.problems[0]
    assert "prices.toml" in found.problems[0]
