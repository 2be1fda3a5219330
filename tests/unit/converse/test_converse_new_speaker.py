"""What one more speaker of a known family costs: a record and a line per stage.

The speaker is made up here. Nothing of the program is changed for it but the two
registries: it is found, judged, answered, spoken and recorded like those that come
with the program.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from rehearsals import BOTH, READ, THANKS, assistants, body, hold, statuses

from sigscope.converse.families.chat_completions import ChatSpeech
from sigscope.converse.loader import load_policy
from sigscope.converse.policy import Policy
from sigscope.converse.speeches import registry as speeches
from sigscope.errors import InputError, UsageError
from sigscope.upstreams.simulator import SimConfig, judge
from sigscope.upstreams.simulator.checks.chat_thoughts import (
    ThoughtChecks,
    ThoughtResponder,
)
from sigscope.upstreams.simulator.config import SimConfig as Settings
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.services import registry as services
from sigscope.upstreams.simulator.texts import ErrorText

FORGOTTEN = ErrorText(
    rule="TOY-1",
    text="The `toy_thoughts` must be passed back.",
    source="made up",
    code="invalid_request_error",
)


class ToyChecks(ThoughtChecks):
    """Wants its reasoning back with every call, under a name of its own."""

    key = "toy_thoughts"

    def model_of(self, asked: str, config: Settings) -> Model:
        return Model(name=asked, vendor="other")

    def thinks(self, body: dict[str, Json]) -> bool:
        return True

    def missing(self, model: Model) -> ErrorText:
        return FORGOTTEN


CHECKS = ToyChecks()
SERVICE = ChatService(
    name="toy",
    paths=("/toy/chat/completions",),
    models_path="/toy/models",
    no_key={"error": {"message": "no key"}},
    rules=frozenset({FORGOTTEN.rule}),
    checks=CHECKS,
    responder=ThoughtResponder(CHECKS),
    offered=("toy-1",),
)
SPEECH = ChatSpeech(name="toy", url="https://api.toy.example/toy/chat/completions")
FAITHFUL = """
about = "A toy"
dialects = ["toy"]
model = "toy-1"
[read]
thoughts = ["toy_thoughts"]
[shape]
thoughts = "toy_thoughts"
"""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "SERVICES", (*services.SERVICES, SERVICE))
    monkeypatch.setattr(speeches, "SPEECHES", (*speeches.SPEECHES, SPEECH))


def client(folder: Path, text: str = FAITHFUL) -> Policy:
    path = folder / "toy-client.toml"
    path.write_text(text)
    return load_policy(str(path))


@pytest.mark.parametrize("stream", [True, False])
def test_a_conversation_is_held_with_it(tmp_path: Path, stream: bool) -> None:
    text = f"stream = {str(stream).lower()}\n{FAITHFUL}"
    held = hold(client(tmp_path, text), [READ, BOTH, THANKS])
    assert set(statuses(held)) == {200}
    assert len(held) == 5
    request = held[0].step.exchange.request
    assert request is not None
    assert request.url == SPEECH.url
    assert body(held[0])["model"] == "toy-1"
    calls = [m for m in assistants(held[-1]) if m.get("tool_calls")]
    assert [len(m["tool_calls"]) for m in calls] == [1, 2]
    assert all(m["toy_thoughts"] for m in calls)


def test_it_refuses_in_its_own_words_what_its_own_check_finds(tmp_path: Path) -> None:
    forgetful = FAITHFUL.replace('[shape]\nthoughts = "toy_thoughts"', "")
    held = hold(client(tmp_path, forgetful), [READ])
    assert statuses(held) == [200, 400]
    response = held[1].step.exchange.response
    assert response is not None
    assert FORGOTTEN.text.encode() in response.body.raw


MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "Hi"},
    {
        "role": "assistant",
        "toy_thoughts": "So.",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f"}},
            {"id": "b", "type": "function", "function": {"name": "f"}},
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "1"},
    {"role": "tool", "tool_call_id": "b", "content": "2"},
    {"role": "user", "content": "And?"},
]


@pytest.mark.parametrize(
    ("messages", "pointer", "words"),
    [
        (MESSAGES, "", ""),
        (MESSAGES[:3] + MESSAGES[4:], "/messages/1/tool_calls/1", "must be followed"),
        (MESSAGES[:2], "/messages/1/tool_calls/0", "must be followed"),
        (MESSAGES[:1] + MESSAGES[2:], "/messages/1", "must be a response"),
        ([*MESSAGES[:4], MESSAGES[3]], "/messages/4", "must be a response"),
    ],
    ids=["right", "one missing", "all missing", "not called", "answered twice"],
)
def test_the_order_of_calls_and_results_is_its_family_s(
    messages: list[Any], pointer: str, words: str
) -> None:
    asked = json.dumps({"model": "toy-1", "messages": messages}).encode()
    found = judge(SimConfig(dialect="toy"), "/chat/completions", asked)
    assert found is not None
    assert found.status == (400 if words else 200)
    assert found.pointer == pointer
    assert words in (found.error or "")


def test_its_path_is_told_apart_where_nobody_named_it() -> None:
    found = judge(SimConfig(), "/toy/chat/completions", b'{"messages":[{}]}')
    assert found is not None
    assert found.dialect == "toy"
    assert "/toy/models" in services.known_paths()


def test_its_name_can_be_asked_for_and_no_other(tmp_path: Path) -> None:
    assert SimConfig(dialect="toy").dialect == "toy"
    with pytest.raises(UsageError, match=r"'joy' is not one of any, .*, toy"):
        SimConfig(dialect="joy")
    with pytest.raises(InputError, match="did you mean 'toy'"):
        client(tmp_path, FAITHFUL.replace('["toy"]', '["toyy"]'))


def test_a_record_stands_in_the_file_of_its_dialect() -> None:
    for package, attribute, known in (
        ("upstreams.simulator.services", "SERVICE", services.SERVICES),
        ("converse.speeches", "SPEECH", speeches.SPEECHES),
    ):
        for record in known[:-1]:
            stem = record.name.replace("-", "_")
            module = importlib.import_module(f"sigscope.{package}.{stem}")
            assert getattr(module, attribute) is record


def test_whoever_is_spoken_is_simulated_too() -> None:
    assert set(speeches.names()) <= set(services.names())
