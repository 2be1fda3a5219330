"""The Responses API as it is imitated: what it says, keeps and refuses."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.unit.rules.cases import bench
from tests.unit.rules.cases import exchange as recorded

from sigscope.dialects.responses_stream import ResponsesAssembler
from sigscope.upstreams.simulator import (
    Judgement,
    ResponseStart,
    SimConfig,
    Simulator,
    create_app,
    exchange,
    judge,
)

Json = Any
PATH = "/v1/responses"
TOOLS = [
    {
        "type": "function",
        "name": "read_file",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        },
    }
]
INCLUDE = ["reasoning.encrypted_content"]
ASKED = {"role": "user", "content": "What is in a.md?"}


def app(**config: Any) -> Simulator:
    return create_app(SimConfig(dialect="responses", **config), clock=lambda: 1.7e9)


def send(
    to: Simulator, body: Json, path: str = PATH, **headers: str
) -> tuple[int, bytes]:
    async def go() -> tuple[int, bytes]:
        status, data = 0, b""
        sent = tuple(headers.items())
        raw = json.dumps(body).encode()
        async for part in exchange(to, "POST", path, sent, raw):
            if isinstance(part, ResponseStart):
                status = part.status
            else:
                data += part
        return status, data

    return asyncio.run(go())


def body(*items: Json, **more: Json) -> Json:
    return {
        "model": "gpt-5.2",
        "input": list(items),
        "tools": TOOLS,
        "store": False,
        "include": INCLUDE,
        **more,
    }


def ask(to: Simulator, *items: Json, path: str = PATH, **more: Json) -> Json:
    status, data = send(to, body(*items, **more), path)
    assert status == 200, data
    return json.loads(data)


def refused(to: Simulator, *items: Json, path: str = PATH, **more: Json) -> Json:
    status, data = send(to, body(*items, **more), path)
    assert status != 200
    return json.loads(data)


def verdict(
    *items: Json, path: str = PATH, config: SimConfig | None = None, **more: Json
) -> Judgement:
    config = config or SimConfig(dialect="responses")
    found = judge(config, path, json.dumps(body(*items, **more)).encode())
    assert found is not None
    return found


def result(call: Json, output: str = "alpha") -> Json:
    return {
        "type": "function_call_output",
        "call_id": call["call_id"],
        "output": output,
    }


def first(**config: Any) -> tuple[Simulator, Json, Json]:
    """A simulator, and the reasoning and the call that it answered with."""
    to = app(**config)
    reasoning, call = ask(to, ASKED)["output"]
    assert [reasoning["type"], call["type"]] == ["reasoning", "function_call"]
    return to, reasoning, call


def events(data: bytes) -> list[Json]:
    blocks = [block for block in data.split(b"\n\n") if block]
    found = []
    for block in blocks:
        name, line = block.split(b"\n")
        event = json.loads(line.removeprefix(b"data: "))
        assert name == f"event: {event['type']}".encode()
        found.append(event)
    return found


# --- What it says ---------------------------------------------------------------------


def test_a_tool_loop_goes_on_to_an_answer() -> None:
    to, reasoning, call = first()
    assert reasoning["encrypted_content"].startswith("gAAAA")
    done = ask(to, ASKED, reasoning, call, result(call))
    assert [item["type"] for item in done["output"]] == ["reasoning", "message"]
    assert done["store"] is False


def test_a_stream_is_what_the_whole_answer_says() -> None:
    status, data = send(app(), body(ASKED, stream=True, reasoning={"summary": "auto"}))
    assert status == 200
    said = events(data)
    assert [e["sequence_number"] for e in said] == list(range(len(said)))
    assembler = ResponsesAssembler()
    for number, event in enumerate(said, start=1):
        assembler.feed(number, event)
    assert assembler.body == said[-1]["response"]
    torn = ResponsesAssembler()
    for number, event in enumerate(said[:-1], start=1):
        torn.feed(number, event)
    assert torn.body["output"] == said[-1]["response"]["output"]
    assert torn.body["output"][0]["summary"]


def test_the_unfinished_item_has_another_and_shorter_value() -> None:
    said = events(send(app(), body(ASKED, stream=True))[1])
    added, done = (
        next(e["item"] for e in said if e["type"] == f"response.output_item.{verb}")
        for verb in ("added", "done")
    )
    assert len(added["encrypted_content"]) < len(done["encrypted_content"])


def test_copilot_names_an_item_otherwise_in_every_event() -> None:
    said = events(send(app(service="copilot"), body(ASKED, stream=True))[1])
    names = {e["item_id"] for e in said if "item_id" in e}
    names |= {e["item"]["id"] for e in said if "item" in e}
    assert len(names) > 3
    assert min(map(len, names)) > 300


def test_without_the_include_nothing_sealed_is_given_out() -> None:
    (reasoning, _) = ask(app(), ASKED, include=[])["output"]
    assert "encrypted_content" not in reasoning


def test_an_answer_can_be_gone_on_from_where_it_was_stored() -> None:
    to = app()
    done = ask(to, ASKED, store=True)
    call = done["output"][-1]
    more = ask(to, result(call), previous_response_id=done["id"], store=True)
    assert more["previous_response_id"] == done["id"]
    assert more["output"][-1]["type"] == "message"
    thanks = {"role": "user", "content": "Thanks!"}
    ask(to, thanks, previous_response_id=more["id"])


def get(to: Simulator, path: str) -> tuple[int, Json]:
    async def go() -> tuple[int, bytes]:
        status, data = 0, b""
        async for part in exchange(to, "GET", path, (), b""):
            if isinstance(part, ResponseStart):
                status = part.status
            else:
                data += part
        return status, data

    status, data = asyncio.run(go())
    return status, json.loads(data)


def test_a_stored_answer_can_be_asked_for_again() -> None:
    to = app()
    one = ask(to, ASKED, store=True)
    assert get(to, f"{PATH}/{one['id']}") == (200, one)
    call = one["output"][-1]
    more = {"previous_response_id": one["id"], "store": True}
    two = ask(to, result(call), **more)
    status, items = get(to, f"{PATH}/{two['id']}/input_items?order=asc&limit=3")
    assert status == 200
    kinds = [item["type"] for item in items["data"]]
    assert kinds == ["message", "reasoning", "function_call"]
    assert items["data"][0]["content"] == [
        {"type": "input_text", "text": ASKED["content"]}
    ]
    assert items["has_more"] is True
    after = f"?order=asc&after={items['last_id']}"
    status, rest = get(to, f"{PATH}/{two['id']}/input_items{after}")
    assert [item["type"] for item in rest["data"]] == ["function_call_output"]
    status, latest = get(to, f"{PATH}/{two['id']}/input_items")
    assert [i["id"] for i in latest["data"]][-1] == items["first_id"]


@pytest.mark.parametrize("more", ["", "/input_items"])
def test_an_answer_that_is_not_kept_cannot_be_asked_for(more: str) -> None:
    to = app()
    unstored = ask(to, ASKED)["id"]
    status, said = get(to, f"{PATH}/{unstored}{more}")
    assert status == 404
    assert said["error"]["message"] == f"Response with id '{unstored}' not found."
    assert said["error"]["type"] == "invalid_request_error"


def test_an_answer_made_in_the_background_is_polled() -> None:
    to = app()
    queued = ask(to, ASKED, store=True, background=True)
    assert (queued["status"], queued["output"]) == ("queued", [])
    status, done = get(to, f"{PATH}/{queued['id']}")
    assert (status, done["status"], done["background"]) == (200, "completed", True)
    assert [item["type"] for item in done["output"]] == ["reasoning", "function_call"]


def test_what_a_recording_tells_to_be_stored_can_be_asked_for() -> None:
    text = {"type": "message", "role": "assistant", "content": "Alpha.", "id": "msg_1"}
    to = app(stored={"resp_told": ((ASKED,), (text,))})
    status, said = get(to, f"{PATH}/resp_told")
    assert (status, said["output"]) == (200, [text])


SEARCH = {"role": "user", "content": "Search the web for the weather."}
OFFERS = {
    "web_search": ("web_search_call", "ws_"),
    "web_search_preview": ("web_search_call", "ws_"),
    "file_search": ("file_search_call", "fs_"),
    "code_interpreter": ("code_interpreter_call", "ci_"),
}


@pytest.mark.parametrize("offered", OFFERS)
def test_a_tool_of_the_service_s_own_is_run_by_it(offered: str) -> None:
    to = app()
    said = ask(to, SEARCH, tools=[{"type": offered}])["output"]
    kind, prefix = OFFERS[offered]
    assert [item["type"] for item in said] == ["reasoning", kind, "message"]
    assert said[1]["id"].startswith(prefix)
    again = ask(to, SEARCH, *said, ASKED, tools=[{"type": offered}])
    assert again["status"] == "completed"


def test_a_stream_tells_how_such_a_tool_gets_on() -> None:
    to = app()
    status, data = send(to, body(SEARCH, tools=[{"type": "web_search"}], stream=True))
    assert status == 200
    told = [e["type"] for e in events(data) if "web_search" in e["type"]]
    assert [kind.rsplit(".", 1)[1] for kind in told] == [
        "in_progress",
        "searching",
        "completed",
    ]
    torn = ResponsesAssembler()
    for number, event in enumerate(events(data)[:-1], start=1):
        torn.feed(number, event)
    whole = events(data)[-1]["response"]["output"]
    assert torn.body["output"] == whole
    assert [item["type"] for item in whole] == [
        "reasoning",
        "web_search_call",
        "message",
    ]


def test_its_call_needs_its_reasoning_as_any_stored_item_does() -> None:
    to = app()
    _, call, text = ask(to, SEARCH, tools=[{"type": "web_search"}], store=True)[
        "output"
    ]
    error = refused(to, SEARCH, call, text, ASKED)["error"]
    assert error["message"].startswith(
        f"Item '{call['id']}' of type 'web_search_call' was provided without its"
        " required 'reasoning' item: 'rs_"
    )


def test_a_conversation_with_such_a_call_loses_nothing() -> None:
    """As the rules and the ledger see it, streamed."""
    to = app()
    more = {"tools": [{"type": "web_search"}], "stream": True}
    status, data = send(to, body(SEARCH, **more))
    assert status == 200
    items = events(data)[-1]["response"]["output"]
    asked = body(SEARCH, *items, ASKED, **more)
    assert send(to, asked)[0] == 200
    url = f"https://api.openai.com{PATH}"
    said = list(events(data))
    found = bench(
        [
            recorded(url, body(SEARCH, **more), events=said),
            recorded(url, asked, {"object": "response", "output": []}),
        ]
    )
    assert found.all_findings() == []
    (signature,) = [s for s in found.ledger.signatures if not s.is_provisional]
    assert [str(fate.fate) for fate in signature.fates] == ["exact"]


def test_without_such_a_tool_or_the_wish_nothing_is_searched() -> None:
    for items, tools in (
        ([SEARCH], []),
        ([{"role": "user", "content": "Thanks!"}], [{"type": "web_search"}]),
    ):
        said = ask(app(), *items, tools=tools)["output"]
        assert [item["type"] for item in said] == ["reasoning", "message"]


def test_a_conversation_is_compacted_into_one_sealed_item() -> None:
    to, reasoning, call = first()
    status, data = send(
        to, body(ASKED, reasoning, call, result(call)), f"{PATH}/compact"
    )
    assert status == 200
    user, sealed = json.loads(data)["output"]
    assert (user["role"], sealed["type"]) == ("user", "compaction")
    ask(to, sealed, {"role": "user", "content": "And in b.md?"})


# --- What it refuses ------------------------------------------------------------------


def test_reasoning_without_what_it_led_to() -> None:
    _, reasoning, call = first()
    found = verdict(ASKED, reasoning, {"role": "user", "content": "Go on"})
    assert (found.rule, found.pointer) == ("RSP-1", "/input/1")
    assert found.error == (
        f"Item '{reasoning['id']}' of type 'reasoning' was provided without its"
        " required following item."
    )
    assert found.body["error"]["param"] == "input"
    late = verdict(ASKED, call, result(call), reasoning)
    assert late.rule == "RSP-1"


def test_a_stored_call_without_its_reasoning() -> None:
    to = app()
    reasoning, call = ask(to, ASKED, store=True)["output"]
    error = refused(to, ASKED, call, result(call), store=True)["error"]
    assert error["message"] == (
        f"Item '{call['id']}' of type 'function_call' was provided without its"
        f" required 'reasoning' item: '{reasoning['id']}'."
    )
    bare = {key: value for key, value in call.items() if key != "id"}
    ask(to, ASKED, bare, result(call), store=True)
    reference = {"type": "item_reference", "id": reasoning["id"]}
    ask(to, ASKED, reference, call, result(call), store=True)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-8] + "AAAAAAA=",
        lambda text: text[:64],
        lambda text: text[:20] + "…",
        lambda text: "encrypted_content",
    ],
)
def test_a_value_that_is_not_as_it_was_given_out(spoil: Any) -> None:
    _, reasoning, call = first()
    bad = {**reasoning, "encrypted_content": spoil(reasoning["encrypted_content"])}
    found = verdict(ASKED, bad, call, result(call))
    assert (found.rule, found.pointer) == ("RSP-3", "/input/1/encrypted_content")
    assert found.body["error"]["code"] == "invalid_encrypted_content"


def test_the_value_of_the_unfinished_item_only_where_strict() -> None:
    said = events(send(app(), body(ASKED, stream=True))[1])
    items = [e["item"] for e in said if e["type"] == "response.output_item.done"]
    early = next(e["item"] for e in said if e["type"].endswith("item.added"))
    bad = {**items[0], "encrypted_content": early["encrypted_content"]}
    sent = (ASKED, bad, items[1], result(items[1]))
    assert verdict(*sent).rule == "RSP-3"
    lenient = SimConfig(dialect="responses", enforce="lenient")
    assert verdict(*sent, config=lenient).status == 200


def test_another_organization_s_value() -> None:
    _, reasoning, call = first(account="other")
    found = verdict(ASKED, reasoning, call, result(call))
    assert found.rule == "RSP-3"
    assert found.error is not None
    assert "organization_id did not match" in found.error


def test_another_caller_s_value_where_the_model_s_maker_tells_callers_apart() -> None:
    to = app()
    reasoning, call = ask(to, ASKED, model="muse-spark-1.3")["output"]
    history = (ASKED, reasoning, call, result(call))
    assert ask(to, *history, model="muse-spark-1.3")["status"] == "completed"
    found = verdict(
        *history,
        model="muse-spark-1.3",
        config=SimConfig(dialect="responses", account="another"),
    )
    assert (found.status, found.rule) == (400, "RSP-12")
    assert found.error == "reasoning `encrypted_content` was not issued to this caller"
    assert found.pointer == "/input/1/encrypted_content"


def test_an_id_in_place_of_an_item_that_is_not_stored() -> None:
    bare = {"type": "reasoning", "id": "rs_0", "summary": []}
    call = {"type": "function_call", "call_id": "call_0", "name": "read_file",
            "arguments": "{}"}  # fmt: skip
    found = verdict(ASKED, bare, call, result(call))
    assert (found.rule, found.status, found.pointer) == ("RSP-4", 404, "/input/1/id")
    azure = SimConfig(dialect="responses", service="azure")
    assert verdict(ASKED, bare, call, result(call), config=azure).rule == "RSP-9"


def test_a_value_beside_an_id_that_is_not_its_own() -> None:
    _, reasoning, call = first()
    bad = {**reasoning, "id": "rs_made_up"}
    found = verdict(ASKED, bad, call, result(call))
    assert found.rule == "RSP-5"
    assert found.error is not None
    assert "item_id did not match the target item id" in found.error
    without = {key: value for key, value in reasoning.items() if key != "id"}
    assert verdict(ASKED, without, call, result(call)).status == 200


def test_an_id_of_copilot_s_length_elsewhere() -> None:
    call = {"type": "function_call", "id": "fc_" + "x" * 413, "call_id": "call_0",
            "name": "read_file", "arguments": "{}"}  # fmt: skip
    found = verdict(ASKED, call, result(call))
    assert (found.rule, found.pointer) == ("RSP-6", "/input/1/id")
    assert found.error == (
        "Invalid 'input[1].id': string too long. Expected a string with maximum length"
        " 64, but got a string with length 416 instead."
    )


def test_an_id_of_another_copilot_connection() -> None:
    _, _, call = first(service="copilot", account="other")
    config = SimConfig(dialect="responses", service="copilot")
    found = verdict(ASKED, call, result(call), config=config)
    assert (found.rule, found.status) == ("RSP-7", 401)


def test_an_answer_that_is_not_kept() -> None:
    found = verdict({"role": "user", "content": "Hi"}, previous_response_id="resp_0")
    assert (found.rule, found.pointer) == ("RSP-8", "/previous_response_id")
    assert found.body["error"]["code"] == "previous_response_not_found"
    told = SimConfig(dialect="responses", stored={"resp_0": ([], [ASKED])})
    hello = {"role": "user", "content": "Hi"}
    assert verdict(hello, previous_response_id="resp_0", config=told).status == 200


def test_gemini_at_copilot() -> None:
    found = verdict(ASKED, model="gemini-3-pro-preview", path="/responses",
                    config=SimConfig())  # fmt: skip
    assert (found.rule, found.pointer) == ("CPC-4", "/model")
    assert found.body == {
        "error": {
            "message": "model gemini-3-pro-preview is not supported via Responses API.",
            "code": "unsupported_api_for_model",
        }
    }


def test_a_conversation_of_the_service_may_hold_the_call() -> None:
    _, _, call = first()
    assert verdict(result(call), conversation="conv_1").status == 200


def test_a_function_s_output_answers_codex_s_shell() -> None:
    _, _, call = first()
    shell = {"type": "local_shell_call", "call_id": call["call_id"], "action": {}}
    assert verdict(ASKED, shell, result(call)).status == 200


def test_calls_and_results_belong_together() -> None:
    _, reasoning, call = first()
    assert verdict(ASKED, reasoning, call).error == (
        f"No tool output found for function call {call['call_id']}."
    )
    assert verdict(ASKED, result(call)).error == (
        f"No tool call found for function call output with call_id {call['call_id']}."
    )


def test_codex_keeps_nothing_and_always_streams() -> None:
    config = SimConfig(dialect="responses", service="codex")
    assert verdict(ASKED, store=True, stream=True, config=config).body == {
        "detail": "Store must be set to false"
    }
    assert verdict(ASKED, config=config).body == {
        "detail": "Stream must be set to true"
    }
    assert verdict(ASKED, stream=True, config=config).status == 200


def test_an_id_of_the_wrong_kind() -> None:
    call = {"type": "function_call", "id": "call_0", "call_id": "call_0",
            "name": "read_file", "arguments": "{}"}  # fmt: skip
    assert verdict(ASKED, call, result(call)).error == (
        "Invalid 'input[1].id': 'call_0'. Expected an ID that begins with 'fc'."
    )


def test_a_recorded_value_is_told_to_be_genuine() -> None:
    from sigscope.upstreams.simulator import Anchor

    _, reasoning, call = first(seed="another")
    blob = reasoning["encrypted_content"]
    sent = (ASKED, reasoning, call, result(call))
    assert verdict(*sent).rule == "RSP-3"
    told = {blob: Anchor(call_id=reasoning["id"])}
    known = SimConfig(dialect="responses", genuine=told)
    assert verdict(*sent, config=known).status == 200
    renamed = (ASKED, {**reasoning, "id": "rs_x"}, call, result(call))
    assert verdict(*renamed, config=known).rule == "RSP-5"
