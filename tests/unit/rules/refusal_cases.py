"""Cases for REF-1 to REF-4."""

from __future__ import annotations

from typing import Any

from tests.unit.rules.cases import ERROR, WARNING, Bad, Good, exchange

URL = "https://llm.example.test/api/talk"
BODY: dict[str, Any] = {
    "model": "wise-one-9",
    "messages": [{"role": "user", "content": "hi"}],
    "tool_choice": "required",
}
GOOD_ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Fine."}}]}


def told(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


def _case(
    name: str, rule: str, status: int, answer: Any, *says: str, place: str = ""
) -> Bad:
    return Bad(
        id=name,
        rule=rule,
        exchanges=(exchange(URL, BODY, answer, status=status),),
        step=1,
        pointer=place,
        severity=ERROR,
        says=(f"HTTP {status}", *says),
        has_fix=False,
        in_response=not place,
        is_confirmed=True,
    )


BAD = (
    _case(
        "a setting that the service does not take",
        "REF-1",
        400,
        told("This model knows no tool_choice"),
        "no rule here explains it",
        "This model knows no tool_choice",
        place="/tool_choice",
    ),
    _case("a key that is not known", "REF-2", 401, told("who are you"), "who are you"),
    _case("too many requests", "REF-3", 429, told("slow down"), "slow down"),
    _case("a service that is down", "REF-4", 503, told("at lunch"), "at lunch"),
    Bad(
        id="a rate limit that was waited for",
        rule="REF-3",
        exchanges=(
            exchange(URL, BODY, told("slow down"), status=429),
            exchange(URL, BODY, GOOD_ANSWER),
        ),
        step=1,
        pointer="",
        severity=WARNING,
        says=("tep 2 sent the same request again and was accepted (HTTP 200)",),
        has_fix=False,
        in_response=True,
        is_confirmed=True,
    ),
)
GOOD = (
    Good(
        id="an answer of an unknown API",
        exchanges=(exchange(URL, BODY, GOOD_ANSWER),),
    ),
)
