"""The Responses API: what is read of its bodies and streams."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from tests.builders import exchange, read

from sigscope.conversation import PartKind, Role
from sigscope.dialects.assembly import Effect
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.registry import named, recognise
from sigscope.dialects.responses_stream import ResponsesAssembler
from sigscope.reader import Reading
from sigscope.wire.frames import frame

Json = Any

EARLY = "gAAAAABpVbkAAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLQ=="
FINAL = "gAAAAABpVbkAJS8QyDYQ68oaBZwLroJV680KqYVhR7bFtP8rff7l2iCqOCUwme8bSmSs7SM8mv4p"
LAST = "gAAAAABpVbkBZk1vZGVsL3RoYXQtaXMtc2VhbGVkLWFnYWluLWZvci10aGUtbGFzdC1ldmVudC4="
USER = {"role": "user", "content": "What is in a.md?"}


def reasoning(blob: str = FINAL, text: str = "I look.") -> Json:
    summary = [{"type": "summary_text", "text": text}] if text else []
    return {
        "id": "rs_1",
        "type": "reasoning",
        "encrypted_content": blob,
        "summary": summary,
    }


CALL = {
    "id": "fc_1",
    "type": "function_call",
    "status": "completed",
    "arguments": '{"path": "a.md"}',
    "call_id": "call_1",
    "name": "read_file",
}
SAID = {
    "id": "msg_1",
    "type": "message",
    "status": "completed",
    "content": [
        {"type": "output_text", "annotations": [], "text": "I will read a.md."}
    ],
    "role": "assistant",
}


def response(*output: Json, **more: Json) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": "gpt-5",
        "output": list(output),
        "usage": {
            "input_tokens": 9,
            "output_tokens": 30,
            "output_tokens_details": {"reasoning_tokens": 20},
            "total_tokens": 39,
        },
        **more,
    }


def stream(*, ends: bool = True, blob: str = FINAL, ids: bool = True) -> list[Json]:
    """A reasoning item, a text and a call. `ids` False: another id in every event, as
    Copilot does it."""
    begun = response(status="in_progress", usage=None)
    events: list[Json] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        added(0, {**reasoning(EARLY, ""), "summary": []}),
        at(0, "response.reasoning_summary_part.added", summary_index=0,
           part={"type": "summary_text", "text": ""}),
        at(0, "response.reasoning_summary_text.delta", summary_index=0, delta="I "),
        at(0, "response.reasoning_summary_text.delta", summary_index=0, delta="look."),
        at(0, "response.reasoning_summary_text.done", summary_index=0, text="I look."),
        done(0, reasoning()),
        added(1, {**SAID, "content": [], "status": "in_progress"}),
        at(1, "response.content_part.added", content_index=0,
           part={"type": "output_text", "annotations": [], "text": ""}),
        at(1, "response.output_text.delta", content_index=0, delta="I will "),
        at(1, "response.output_text.delta", content_index=0, delta="read a.md."),
        done(1, SAID),
        added(2, {**CALL, "arguments": "", "status": "in_progress"}),
        at(2, "response.function_call_arguments.delta", delta='{"path": '),
        at(2, "response.function_call_arguments.delta", delta='"a.md"}'),
        at(2, "response.function_call_arguments.done", arguments='{"path": "a.md"}'),
        done(2, CALL),
    ]  # fmt: skip
    if ends:
        whole = response(reasoning(blob), SAID, CALL)
        events.append({"type": "response.completed", "response": whole})
    if not ids:
        for number, event in enumerate(events):
            if "item_id" in event:
                event["item_id"] = f"id{number}"
            if "item" in event:
                event["item"] = {**event["item"], "id": f"id{number}"}
    return events


def at(index: int, kind: str, **more: Json) -> Json:
    return {"type": kind, "output_index": index, "item_id": f"item_{index}", **more}


def added(index: int, item: Json) -> Json:
    kind = "response.output_item.added"
    return {"type": kind, "output_index": index, "item": item}


def done(index: int, item: Json) -> Json:
    kind = "response.output_item.done"
    return {"type": kind, "output_index": index, "item": item}


def sse(events: list[Json]) -> bytes:
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events
    ).encode()


def feed(events: list[Json]) -> ResponsesAssembler:
    assembler = ResponsesAssembler()
    for number, event in enumerate(events, start=1):
        assembler.feed(number, event)
    return assembler


URL = "https://api.openai.com/v1/responses"


def streamed(events: list[Json] | bytes) -> Reading:
    body = events if isinstance(events, bytes) else sse(events)
    asked = {"model": "gpt-5", "input": "Hi", "stream": True}
    made = exchange("gemini", asked, body, url=URL, content_type="text/event-stream")
    return read([made])[0]


# --- Streams --------------------------------------------------------------------------


def test_the_body_is_what_the_last_event_brings() -> None:
    events = stream(blob=LAST)
    assert feed(events).body == events[-1]["response"]


def test_without_the_last_event_the_items_are_the_finished_ones() -> None:
    body = feed(stream(ends=False)).body
    assert body["output"] == [reasoning(), SAID, CALL]
    assert body["status"] == "in_progress"


def test_an_end_without_items_leaves_those_that_came() -> None:
    events = [*stream(ends=False), {"type": "response.completed",
                                    "response": response()}]  # fmt: skip
    body = feed(events).body
    assert body["output"] == [reasoning(), SAID, CALL]
    assert body["status"] == "completed"


def test_items_are_told_apart_though_every_event_names_another_id() -> None:
    body = feed(stream(ends=False, ids=False)).body
    assert [item["type"] for item in body["output"]] == [
        "reasoning", "message", "function_call",
    ]  # fmt: skip
    assert body["output"][2]["arguments"] == CALL["arguments"]


def test_without_an_index_an_item_is_known_by_its_id() -> None:
    events = stream(ends=False)
    for event in events:
        index = event.pop("output_index", None)
        if index is not None:
            event["item_id"] = ("rs_1", "msg_1", "fc_1")[index]
    assert feed(events).body["output"] == [reasoning(), SAID, CALL]


def test_the_early_blob_is_never_in_the_body() -> None:
    for count in range(len(stream())):
        torn = feed(stream()[:count]).body
        assert EARLY not in json.dumps(torn)


def test_a_stream_torn_within_an_item_has_what_came_of_it() -> None:
    body = feed(stream()[:5]).body
    assert body["output"][0]["summary"] == [{"type": "summary_text", "text": "I "}]
    reply = streamed(stream()[:5]).reply
    assert reply.message is not None
    assert reply.message.thoughts == "I "


@pytest.mark.slow
def test_bytes_cut_anywhere_are_read_as_far_as_they_go() -> None:
    whole = sse(stream())
    for cut in range(0, len(whole), 7):
        reading = streamed(whole[:cut])
        assert reading.dialect is named("responses")
        assert all(s.value in (EARLY, FINAL) for s in reading.received)


def test_byte_by_byte_the_same_events_come() -> None:
    whole = sse(stream())
    assert [e.name for e in frame(whole, "sse").events] == [e["type"] for e in stream()]
    assert streamed(whole.replace(b"\n", b"\r\n")).response_json == (
        streamed(whole).response_json
    )


def test_events_are_not_changed() -> None:
    events = stream()
    before = copy.deepcopy(events)
    feed(events)
    assert events == before


def test_an_error_event_is_an_error() -> None:
    error = {"type": "error", "code": "server_error", "message": "Sorry.",
             "param": None}  # fmt: skip
    reading = streamed([*stream(ends=False), error])
    assert reading.reply.has_error
    assert not reading.is_accepted
    failed = response(status="failed", error={"code": "server_error",
                                              "message": "Sorry."})  # fmt: skip
    assert streamed([{"type": "response.failed", "response": failed}]).reply.has_error


def test_the_null_error_of_an_answer_under_way_is_no_error() -> None:
    begun = {"type": "response.created", "response": response(error=None)}
    wrote = ResponsesAssembler().feed(1, begun)
    assert wrote
    assert Effect.ERROR not in {write.effect for write in wrote}
    failed = response(status="failed", error={"code": "server_error"})
    ended = {"type": "response.failed", "response": failed}
    wrote = ResponsesAssembler().feed(1, ended)
    assert Effect.ERROR in {write.effect for write in wrote}


# --- Signatures -----------------------------------------------------------------------


def test_the_finished_item_s_blob_is_received_and_the_early_one_told_apart() -> None:
    received = streamed(stream()).received
    assert [(s.event, s.pointer, s.value) for s in received] == [
        (3, "/item/encrypted_content", EARLY),
        (8, "/item/encrypted_content", FINAL),
        (19, "/response/output/0/encrypted_content", FINAL),
    ]
    assert {s.anchor.part for s in received} == {"/output/0"}
    assert received[0].carrier == "responses.encrypted_content.early"


def test_an_early_blob_that_is_the_final_one_is_received_once() -> None:
    events = stream()
    events[2]["item"]["encrypted_content"] = FINAL
    assert {s.event for s in streamed(events).received} == {8, 19}


def test_a_blob_on_a_message_is_not_read() -> None:
    said = {"role": "assistant", "content": "I look.", "encrypted_content": FINAL}
    asked = {"model": "gpt-5", "input": [USER, said, {**USER, "content": "More"}]}
    (reading,) = read([exchange("gemini", asked, response(SAID), url=URL)])
    assert [(s.pointer, s.is_read) for s in reading.sent] == [
        ("/input/1/encrypted_content", False)
    ]


def test_a_compaction_item_carries_a_blob() -> None:
    item = {"id": "cmp_1", "type": "compaction", "encrypted_content": FINAL}
    body = {"id": "c", "object": "response.compaction", "output": [USER, item]}
    asked = {"model": "gpt-5", "input": [USER]}
    (reading,) = read([exchange("gemini", asked, body, url=f"{URL}/compact")])
    assert [s.pointer for s in reading.received] == ["/output/1/encrypted_content"]
    assert reading.reply.message is not None
    assert [p.pointer for p in reading.reply.message.parts] == ["/output/1"]


# --- Messages -------------------------------------------------------------------------


def test_a_request_is_read_item_by_item() -> None:
    items = [
        {"role": "developer", "content": "You help."},
        USER,
        reasoning(),
        SAID,
        CALL,
        {"type": "function_call_output", "call_id": "call_1", "output": "Hello"},
        {"type": "custom_tool_call", "call_id": "call_2", "name": "patch",
         "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "call_2",
         "output": [{"type": "input_text", "text": "ok"}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "item_reference", "id": "rs_9"},
    ]  # fmt: skip
    asked = {"model": "gpt-5", "input": items, "tools": [{"type": "function",
             "name": "read_file"}, {"type": "web_search"}]}  # fmt: skip
    (reading,) = read([exchange("gemini", asked, response(SAID), url=URL)])
    conversation = reading.conversation
    assert [message.role for message in conversation.messages] == [
        Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.ASSISTANT,
        Role.TOOL, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.ASSISTANT,
    ]  # fmt: skip
    kinds = [part.kind for m in conversation.messages for part in m.parts]
    assert kinds == [
        PartKind.TEXT, PartKind.TEXT, PartKind.THOUGHT, PartKind.TEXT, PartKind.CALL,
        PartKind.RESULT, PartKind.CALL, PartKind.RESULT, PartKind.OPAQUE,
        PartKind.OPAQUE,
    ]  # fmt: skip
    assert conversation.messages[2].item_ids == ("rs_1",)
    assert conversation.messages[7].parts[0].text == "ok"
    assert conversation.tools == ("read_file",)
    assert conversation.turn_start == 1


def test_input_may_be_a_text() -> None:
    asked = {"model": "gpt-5", "input": "Hi", "previous_response_id": "resp_0"}
    (reading,) = read([exchange("gemini", asked, response(SAID), url=URL)])
    (message,) = reading.conversation.messages
    assert (message.role, message.text, message.pointer) == (Role.USER, "Hi", "/input")
    assert reading.conversation.continues == "resp_0"


def test_an_answer_is_one_message_of_all_its_items() -> None:
    asked = {"model": "gpt-5", "input": "Hi"}
    made = exchange("gemini", asked, response(reasoning(), SAID, CALL), url=URL)
    reply = read([made])[0].reply
    assert reply.message is not None
    assert reply.message.text == "I will read a.md."
    assert reply.call_ids == ("call_1",)
    assert (reply.finish, reply.response_id) == ("completed", "resp_1")
    assert (reply.usage.reasoning, reply.usage.total) == (20, 39)
    cut = response(SAID, status="incomplete",
                   incomplete_details={"reason": "max_output_tokens"})  # fmt: skip
    made = exchange("gemini", asked, cut, url=URL)
    assert read([made])[0].reply.finish == "max_output_tokens"


def test_a_refusal_is_what_the_model_says() -> None:
    said = {**SAID, "content": [{"type": "refusal", "refusal": "No."}]}
    made = exchange("gemini", {"input": "Hi"}, response(said), url=URL)
    reply = read([made])[0].reply
    assert reply.message is not None
    assert reply.message.text == "No."


# --- Recognition ----------------------------------------------------------------------


def probe(url: str = "", request: Json = None, answer: Json = None) -> Probe:
    return Probe(url=url, request=lambda: request, response=lambda: answer)


@pytest.mark.parametrize(
    ("given", "match", "service"),
    [
        (probe(URL), Match.PATH, "openai"),
        (probe(f"{URL}/compact"), Match.PATH, "openai"),
        (probe("https://mine.openai.azure.com/openai/v1/responses?api-version=preview"),
         Match.PATH, "azure"),
        (probe("https://chatgpt.com/backend-api/codex/responses"), Match.PATH, "codex"),
        (probe("/backend-api/codex/responses"), Match.PATH, "codex"),
        (probe("https://api.githubcopilot.com/responses"), Match.PATH, "copilot"),
        (probe("/responses", None, response() | {"copilot_usage": {}}),
         Match.PATH, "copilot"),
        (probe("https://api.x.ai/v1/responses"), Match.PATH, "xai"),
        (probe("/v1/responses", {"model": "grok-4"}), Match.PATH, "xai"),
        (probe("https://gw.example/v1/responses", {"model": "grok-4"}),
         Match.PATH, None),
        (probe("https://gateway.example/llm", {"input": [USER]}, response()),
         Match.ANSWERED, None),
        (probe("", None, stream()), Match.ANSWERED, None),
        (probe("", {"model": "m", "input": [USER]}), Match.ASKED, None),
        (probe("", {"input": "Hi", "previous_response_id": "r"}), Match.ASKED, None),
    ],
)  # fmt: skip
def test_it_is_known_by_path_and_marks(
    given: Probe, match: Match, service: str | None
) -> None:
    dialect, how = recognise(given)
    assert dialect is named("responses")
    assert how is match
    assert dialect is not None
    assert dialect.service(given) == service


@pytest.mark.parametrize(
    "given",
    [
        probe("https://api.openai.com/v1/embeddings", {"input": ["a"], "model": "m"}),
        probe("", {"input": "text", "model": "text-embedding-3"}),
        probe("https://api.openai.com/v1/responses/resp_1"),
        probe("https://api.openai.com/v1/responses/input_tokens", {"input": [USER]}),
    ],
)
def test_what_is_asked_elsewhere_is_not_it(given: Probe) -> None:
    assert recognise(given) == (None, Match.NO)
