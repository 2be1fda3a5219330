"""generateContent: every GEM rule, and the neighbour of each that is accepted."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from sim_client import Client, begun, clock, judged

from sigscope.upstreams.simulator import (
    Anchor,
    SimConfig,
    Standing,
    create_app,
    judge,
)
from sigscope.upstreams.simulator.mint.shapes import (
    BYPASS_2_B64,
    BYPASS_2_RAW,
    BYPASS_B64,
    BYPASS_RAW,
)

BOTH = "Read both a.md and b.md at the same time"
SEQUENCE = "Read a.md, then read b.md"


async def asked(question: str = "Read a.md", **settings: Any) -> tuple[Client, Any]:
    return await begun("gemini", question, **settings)


def model_parts(body: Any, index: int = 1) -> list[Any]:
    """Parts of a model content without its thoughts and empty texts."""
    parts = body["contents"][index]["parts"]
    return [part for part in parts if "functionCall" in part]


def sign(part: Any, value: str | None) -> None:
    if value is None:
        part.pop("thoughtSignature", None)
    else:
        part["thoughtSignature"] = value


async def test_gem_1_names_the_call_and_its_content_on_ai_studio() -> None:
    client, body = await asked()
    sign(model_parts(body)[0], None)
    verdict = judged(client, body)
    assert verdict.status == 400
    assert verdict.rule == "GEM-1"
    assert verdict.error == (
        "Function call is missing a thought_signature in functionCall parts. This is "
        "required for tools to work correctly, and missing thought_signature may lead "
        "to degraded model performance. Additional data, function call "
        "`default_api:read_file` , position 2. Please refer to "
        "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
    )
    assert verdict.body["error"]["status"] == "INVALID_ARGUMENT"
    assert "functionCall" in json.dumps(_at(body, verdict.pointer))


async def test_gem_2_says_it_in_vertex_s_words() -> None:
    client, body = await asked(surface="vertex")
    sign(model_parts(body)[0], None)
    verdict = judged(client, body)
    assert verdict.rule == "GEM-2"
    assert verdict.error == (
        "Unable to submit request because function call `default_api:read_file` in the "
        "2. content block is missing a `thought_signature`. Learn more: https://docs."
        "cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
    )


@pytest.mark.parametrize("surface", ["ai-studio", "vertex"])
@pytest.mark.parametrize("question", ["Read a.md", BOTH, SEQUENCE])
async def test_a_faithful_history_is_accepted(surface: str, question: str) -> None:
    client, body = await asked(question, surface=surface)
    verdict = judged(client, body)
    assert verdict.status == 200
    assert verdict.body is None
    assert [s.standing for s in verdict.signatures] == [Standing.GENUINE]


async def test_a_system_instruction_does_not_count_as_a_content() -> None:
    client, body = await asked()
    body["systemInstruction"] = {"parts": [{"text": "Be brief."}]}
    sign(model_parts(body)[0], None)
    assert "position 2." in str(judged(client, body).error)


async def test_an_empty_signature_is_a_missing_one() -> None:
    client, body = await asked()
    sign(model_parts(body)[0], "")
    assert judged(client, body).rule == "GEM-1"


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "gemini-2.5-flash"])
async def test_models_before_gemini_3_do_not_insist(model: str) -> None:
    client, body = await asked(model=model)
    for part in body["contents"][1]["parts"]:
        sign(part, None)
    assert judged(client, body).status == 200


@pytest.mark.parametrize("model", ["gemini-3.5-flash", "gemini-4-pro"])
async def test_newer_models_do(model: str) -> None:
    client, body = await asked(model=model)
    sign(model_parts(body)[0], None)
    assert judged(client, body).rule == "GEM-1"


@pytest.mark.parametrize(
    ("model", "surface", "rule", "text"),
    [
        ("gemini-3-pro-preview", "ai-studio", "GEM-4", "Corrupted thought signature."),
        ("gemini-3.7-flash", "ai-studio", "GEM-4", "Invalid thought signature."),
        (
            "gemini-3-pro-preview",
            "vertex",
            "GEM-5",
            "Unable to submit request because Thought signature is not valid.. Learn "
            "more: https://cloud.google.com/vertex-ai/generative-ai/docs/"
            "model-reference/gemini",
        ),
    ],
)
async def test_an_altered_signature_is_refused_in_each_surface_s_words(
    model: str, surface: str, rule: str, text: str
) -> None:
    client, body = await asked(model=model, surface=surface)
    part = model_parts(body)[0]
    value = part["thoughtSignature"]
    sign(part, value[:90] + ("A" if value[90] != "A" else "B") + value[91:])
    verdict = judged(client, body)
    assert (verdict.rule, verdict.error) == (rule, text)
    assert verdict.signatures[0].standing is Standing.ALTERED
    assert _at(body, verdict.pointer) == part["thoughtSignature"]


async def test_the_url_safe_alphabet_is_taken() -> None:
    client, body = await asked()
    part = model_parts(body)[0]
    sign(part, part["thoughtSignature"].replace("+", "-").replace("/", "_"))
    assert judged(client, body).status == 200


async def test_snake_case_is_taken() -> None:
    client, body = await asked()
    part = model_parts(body)[0]
    part["thought_signature"] = part.pop("thoughtSignature")
    part["function_call"] = part.pop("functionCall")
    verdict = judged(client, body)
    assert verdict.status == 200
    assert verdict.signatures[0].pointer.endswith("/thought_signature")


@pytest.mark.parametrize("model", ["gemini-3-pro-preview", "gemini-2.5-pro"])
@pytest.mark.parametrize("enforce", ["strict", "lenient"])
async def test_gem_6_lists_every_part_that_is_not_base64(
    model: str, enforce: str
) -> None:
    client, body = await asked(SEQUENCE, model=model)
    await client.step()
    body = client.request()
    bad = []
    for index in (1, 3):
        part = next(
            p for p in body["contents"][index]["parts"] if "thoughtSignature" in p
        )
        # A length of 1 modulo 4 can be no base64.
        sign(part, part["thoughtSignature"][:41])
        place = body["contents"][index]["parts"].index(part)
        bad.append((f"contents[{index}].parts[{place}]", part["thoughtSignature"]))
    verdict = judged(client, body, enforce=enforce)
    assert verdict.rule == "GEM-6"
    assert verdict.error == "\n".join(
        f"Invalid value at '{where}.thought_signature' (TYPE_BYTES), Base64 decoding "
        f'failed for "{value}"'
        for where, value in bad
    )
    fields = verdict.body["error"]["details"][0]["fieldViolations"]
    assert len(fields) == 2
    assert {s.standing for s in verdict.signatures} == {Standing.CUT}


async def test_gem_6_repeats_only_the_beginning_of_a_long_value() -> None:
    client, body = await asked()
    sign(model_parts(body)[0], "é" * 5000)
    assert len(str(judged(client, body).error)) < 400


async def test_a_cut_that_still_decodes_is_corrupted() -> None:
    client, body = await asked()
    part = model_parts(body)[0]
    sign(part, part["thoughtSignature"][:120])
    verdict = judged(client, body)
    assert verdict.rule == "GEM-4"
    assert verdict.signatures[0].standing is Standing.CUT


async def test_gem_7_interleaved_calls_leave_the_second_one_unsigned() -> None:
    client, body = await asked(BOTH)
    user, model, results = body["contents"]
    calls = [part for part in model["parts"] if "functionCall" in part]
    first, second = results["parts"]
    body["contents"] = [
        user,
        {"role": "model", "parts": [calls[0]]},
        {"role": "user", "parts": [first]},
        {"role": "model", "parts": [calls[1]]},
        {"role": "user", "parts": [second]},
    ]
    verdict = judged(client, body)
    assert verdict.rule == "GEM-1"
    assert "position 4." in str(verdict.error)


async def test_gem_8_parallel_calls_may_not_be_split_over_contents() -> None:
    client, body = await asked(BOTH)
    user, model, results = body["contents"]
    calls = [part for part in model["parts"] if "functionCall" in part]
    split = [{"role": "model", "parts": [call]} for call in calls]
    body["contents"] = [user, *split, results]
    verdict = judged(client, body)
    assert verdict.rule == "GEM-1"
    assert "position 3." in str(verdict.error)
    together = {"role": "model", "parts": calls}
    body["contents"] = [user, together, results]
    assert judged(client, body).status == 200


async def test_gem_8_results_may_be_split_over_contents() -> None:
    client, body = await asked(BOTH)
    results = body["contents"].pop()
    body["contents"] += [{"role": "user", "parts": [p]} for p in results["parts"]]
    assert judged(client, body).status == 200


async def test_gem_9_earlier_turns_may_be_unsigned_or_bypassed() -> None:
    client, _ = await asked()
    await client.step()
    client.ask("Read b.md")
    await client.step()
    body = client.request()
    for value in (None, BYPASS_B64, BYPASS_RAW):
        sign(model_parts(body)[0], value)
        assert judged(client, body).status == 200
    current = len(body["contents"]) - 2
    sign(model_parts(body, current)[0], None)
    assert f"position {current + 1}." in str(judged(client, body).error)


async def test_gem_9_a_result_with_a_remark_beside_it_opens_no_turn() -> None:
    client, body = await asked()
    body["contents"][-1]["parts"].append({"text": "By the way, hurry up."})
    sign(model_parts(body)[0], None)
    assert judged(client, body).rule == "GEM-1"
    body["contents"].append({"role": "user", "parts": [{"text": "Hurry up."}]})
    assert judged(client, body).status == 200


async def test_gem_10_the_signature_of_an_answer_may_be_left_out() -> None:
    client, _ = await asked()
    await client.step()
    client.ask("Thanks!")
    body = client.request()
    signed = [p for p in body["contents"][3]["parts"] if "thoughtSignature" in p]
    assert len(signed) == 1
    sign(signed[0], None)
    assert judged(client, body).status == 200


async def test_gem_11_the_signature_belongs_on_the_first_call() -> None:
    client, body = await asked(BOTH)
    first, second = model_parts(body)
    sign(second, first["thoughtSignature"])
    sign(first, None)
    verdict = judged(client, body)
    assert verdict.rule == "GEM-1"
    assert "position 2." in str(verdict.error)


@pytest.mark.parametrize(("enforce", "status"), [("strict", 400), ("lenient", 200)])
async def test_gem_12_copies_on_siblings_are_contested(
    enforce: str, status: int
) -> None:
    client, body = await asked(BOTH)
    first, second = model_parts(body)
    sign(second, first["thoughtSignature"])
    verdict = judged(client, body, enforce=enforce)
    assert verdict.status == status
    assert verdict.rule == ("GEM-12" if status == 400 else "")
    assert verdict.signatures[1].standing is Standing.MISPLACED


@pytest.mark.parametrize(("enforce", "status"), [("strict", 400), ("lenient", 200)])
async def test_a_signature_moved_to_a_later_call_is_misplaced(
    enforce: str, status: int
) -> None:
    client, body = await asked(SEQUENCE)
    await client.step()
    body = client.request()
    sign(model_parts(body, 3)[0], model_parts(body, 1)[0]["thoughtSignature"])
    verdict = judged(client, body, enforce=enforce)
    assert verdict.status == status
    assert verdict.signatures[-1].standing is Standing.MISPLACED
    if status == 400:
        assert verdict.rule == "GEM-4"


@pytest.mark.parametrize(
    ("place", "where"),
    [
        ("functionCall", "contents[1].parts[{0}].function_call"),
        ("functionResponse", "contents[2].parts[0].function_response"),
    ],
)
async def test_gem_13_a_signature_inside_call_or_result_is_an_unknown_name(
    place: str, where: str
) -> None:
    client, body = await asked()
    index = 1 if place == "functionCall" else 2
    parts = body["contents"][index]["parts"]
    part = next(p for p in parts if place in p)
    value = model_parts(body)[0].pop("thoughtSignature")
    part[place]["thoughtSignature"] = value
    verdict = judged(client, body)
    assert verdict.rule == "GEM-13"
    assert verdict.error == (
        'Invalid JSON payload received. Unknown name "thoughtSignature" at '
        f"'{where.format(parts.index(part))}': Cannot find field."
    )
    assert _at(body, verdict.pointer) == value
    assert [s.read for s in verdict.signatures] == [False]


async def test_gem_14_signatures_of_the_other_surface_are_foreign() -> None:
    client, body = await asked(surface="vertex")
    studio = Client(client.app, "gemini", surface="ai-studio")
    verdict = judged(studio, body)
    assert (verdict.rule, verdict.error) == ("GEM-14", "Corrupted thought signature.")
    assert verdict.signatures[0].standing is Standing.FOREIGN
    assert "vertex" in verdict.signatures[0].note


async def test_gem_14_signatures_of_another_account_are_foreign() -> None:
    client, body = await asked()
    verdict = judged(client, body, account="account-2")
    assert verdict.rule == "GEM-14"
    assert judged(client, body).status == 200


@pytest.mark.parametrize(("enforce", "status"), [("strict", 400), ("lenient", 200)])
async def test_gem_14_another_generation_is_contested(
    enforce: str, status: int
) -> None:
    client, body = await asked(model="gemini-2.5-pro")
    newer = Client(client.app, "gemini", model="gemini-3-pro-preview")
    assert judged(newer, body, enforce=enforce).status == status


@pytest.mark.parametrize(
    ("surface", "enforce", "rule"),
    [
        ("ai-studio", "strict", "GEM-15"),
        ("ai-studio", "lenient", ""),
        ("vertex", "strict", ""),
    ],
)
def test_gem_15_image_models_want_every_signature_on_ai_studio_only(
    surface: str, enforce: str, rule: str
) -> None:
    client = Client(
        create_app(SimConfig(), clock=clock),
        "gemini",
        model="gemini-3-pro-image-preview",
        surface=surface,
    )
    image = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    body = {
        "contents": [
            {"role": "user", "parts": [{"text": "Draw a cat"}]},
            {"role": "model", "parts": [{"text": "hm", "thought": True}, image]},
            {"role": "user", "parts": [{"text": "Make it blue"}]},
        ]
    }
    verdict = judged(client, body, enforce=enforce)
    assert verdict.rule == rule
    if rule:
        assert str(verdict.error).startswith(
            "Image part is missing a thought_signature in content position 2, part "
            "position 2."
        )


@pytest.mark.parametrize(
    ("model", "enforce", "rule"),
    [
        ("gemini-3.7-flash", "strict", "GEM-16"),
        ("gemini-3.7-flash", "lenient", ""),
        ("gemini-3-pro-preview", "strict", ""),
    ],
)
async def test_gem_16_a_shortened_thought_breaks_its_signature_on_one_model(
    model: str, enforce: str, rule: str
) -> None:
    client, body = await asked(model=model)
    value = base64.b64encode(b"a signature of a thought, recorded").decode()
    told = {value: Anchor(kind="thought", text="A long thought.")}
    thought = {"text": "A long thought.", "thought": True, "thoughtSignature": value}
    body["contents"][1]["parts"].insert(0, thought)
    assert judged(client, body, enforce=enforce, genuine=told).status == 200
    thought["text"] = "..."
    assert judged(client, body, enforce=enforce, genuine=told).rule == rule


async def test_gem_17_a_missing_signature_may_end_in_an_empty_200() -> None:
    config = SimConfig(missing="finish")
    client, _ = await asked(config=config)

    def drop(body: Any) -> None:
        sign(model_parts(body)[0], None)

    client.spoil = drop
    said = await client.step()
    assert (said.status, said.finish) == (200, "MISSING_THOUGHT_SIGNATURE")
    assert "content" not in said.events[-1]["candidates"][0]


@pytest.mark.parametrize(
    ("value", "surface", "enforce", "rule"),
    [
        (BYPASS_RAW, "ai-studio", "strict", ""),
        (BYPASS_RAW, "vertex", "strict", ""),
        (BYPASS_B64, "ai-studio", "strict", ""),
        (BYPASS_B64, "vertex", "strict", "GEM-5"),
        (BYPASS_B64, "vertex", "lenient", ""),
        (BYPASS_2_RAW, "ai-studio", "strict", ""),
        (BYPASS_2_RAW, "vertex", "strict", "GEM-2"),
        (BYPASS_2_RAW, "vertex", "lenient", "GEM-2"),
        (BYPASS_2_B64, "ai-studio", "strict", ""),
        (BYPASS_2_B64, "vertex", "strict", "GEM-5"),
        (BYPASS_2_B64, "vertex", "lenient", "GEM-2"),
    ],
)
async def test_bypass_literals_work_where_they_are_said_to(
    value: str, surface: str, enforce: str, rule: str
) -> None:
    client, body = await asked(surface=surface)
    sign(model_parts(body)[0], value)
    verdict = judged(client, body, enforce=enforce)
    assert verdict.rule == rule
    assert verdict.signatures[0].standing is Standing.BYPASS


@pytest.mark.parametrize(("enforce", "status"), [("strict", 400), ("lenient", 200)])
async def test_whether_closed_turns_are_verified_is_contested(
    enforce: str, status: int
) -> None:
    client, _ = await asked()
    await client.step()
    client.ask("Thanks!")
    body = client.request()
    sign(model_parts(body)[0], "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV")
    assert judged(client, body, enforce=enforce).status == status


async def test_only_the_first_offender_is_named() -> None:
    client, body = await asked(SEQUENCE)
    await client.step()
    body = client.request()
    for index in (1, 3):
        sign(model_parts(body, index)[0], None)
    assert "position 2." in str(judged(client, body).error)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c: c.pop(1), "function response turn comes immediately after"),
        (lambda c: c.pop(0), "function call turn comes immediately after a user"),
        (
            lambda c: c[2]["parts"].pop(),
            "the number of function response parts is equal",
        ),
        (
            lambda c: c.__setitem__(2, {"role": "user", "parts": [{"text": "hm"}]}),
            "the number of function response parts is equal",
        ),
    ],
)
async def test_calls_and_results_have_to_pair(change: Any, text: str) -> None:
    client, body = await asked(BOTH)
    change(body["contents"])
    verdict = judged(client, body)
    assert verdict.status == 400
    assert text in str(verdict.error)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"text": 5}, "Invalid value at 'contents[0].parts[1].text' (TYPE_STRING), 5"),
        (
            {"text": "a", "functionCall": {"name": "f"}},
            "Invalid value at 'contents[0].parts[1]' (oneof), oneof field 'data' is "
            "already set. Cannot set 'functionCall'",
        ),
        (
            {"text": "a", "extra_content": {}},
            "Unknown name \"extra_content\" at 'contents[0].parts[1]'",
        ),
        ({"text": "", "thoughtSignature": 3}, "thought_signature' (TYPE_BYTES), 3"),
    ],
)
def test_fields_are_read_as_strictly_as_google_s_parser(part: Any, text: str) -> None:
    client = Client(create_app(SimConfig()), "gemini")
    body = {"contents": [{"role": "user", "parts": [{"text": "hi"}, part]}]}
    verdict = judged(client, body)
    assert verdict.status == 400
    assert text in str(verdict.error)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"{", "Invalid JSON payload received."),
        (b'{"contents": [NaN]}', "Unexpected token NaN"),
        (b"\xff\xfe{", "Invalid UTF-8"),
        (b"[" * 100_000, "too deep"),
        (b"[]", "Invalid value at ''"),
        (b"{}", "contents is not specified"),
        (b'{"contents":[{"role":"tool","parts":[]}]}', "Please use a valid role"),
        (b'{"messages":[],"contents":[]}', 'Unknown name "messages": Cannot find'),
        (b'{"contents": 7}', "Invalid value at 'contents'"),
        (b'{"contents": [7]}', "Invalid value at 'contents[0]'"),
    ],
)
def test_broken_bodies_get_google_s_400(body: bytes, text: str) -> None:
    path = "/v1beta/models/gemini-3-pro-preview:generateContent"
    verdict = judge(SimConfig(), path, body)
    assert verdict is not None
    assert verdict.status == 400
    assert text in str(verdict.error)
    assert verdict.body["error"]["code"] == 400


def test_an_unknown_model_is_404_in_the_recorded_words() -> None:
    path = "/v1beta/models/gemini-nonexistent-test:streamGenerateContent?alt=sse"
    verdict = judge(SimConfig(), path, b"{}")
    assert verdict is not None
    assert verdict.status == 404
    assert verdict.body["error"] == {
        "code": 404,
        "message": "models/gemini-nonexistent-test is not found for API version "
        "v1beta, or is not supported for generateContent. Call ModelService.ListModels "
        "to see the list of available models and their supported methods.",
        "status": "NOT_FOUND",
    }


def _at(document: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        document = document[int(key) if isinstance(document, list) else key]
    return document
