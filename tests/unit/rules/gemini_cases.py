"""Cases for GEM-1 to GEM-18."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.unit.rules.cases import (
    BYPASS,
    BYPASS_64,
    ERROR,
    INFO,
    WARNING,
    Bad,
    Good,
    claude_signature,
    exchange,
    gemini_signature,
    urlsafe,
)

from sigscope.exchange import Exchange

STUDIO = "https://generativelanguage.googleapis.com/v1beta/models"
VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers"
    "/google/models"
)
PRO, FLASH, OLD = "gemini-3-pro-preview", "gemini-3.7-flash", "gemini-2.5-flash"
IMAGE = "gemini-3-pro-image-preview"
S1, S2, S3 = (gemini_signature(name) for name in ("one", "two", "three"))

MISSING_STUDIO = (
    "Function call is missing a thought_signature in functionCall parts. This is"
    " required for tools to work correctly, and missing thought_signature may lead to"
    " degraded model performance. Additional data, function call `default_api:ls` ,"
    " position 2. Please refer to"
    " https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
)
MISSING_VERTEX = (
    "Unable to submit request because function call `default_api:ls` in the 2. content"
    " block is missing a `thought_signature`. Learn more:"
    " https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
)


def refused(text: str) -> dict[str, Any]:
    return {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def call(name: str, signature: str | None = None, call_id: str = "") -> dict[str, Any]:
    part: dict[str, Any] = {"functionCall": {"name": name, "args": {"of": name}}}
    if call_id:
        part["functionCall"]["id"] = call_id
    return part | ({"thoughtSignature": signature} if signature else {})


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def result(name: str, call_id: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = {"name": name, "response": {"result": "fine"}}
    return {"functionResponse": answer | ({"id": call_id} if call_id else {})}


def results(*names: str) -> dict[str, Any]:
    return {"role": "user", "parts": [result(name) for name in names]}


def answer(*parts: dict[str, Any], by: str = PRO, finish: str = "STOP") -> Any:
    return {
        "candidates": [{"content": model(*parts), "finishReason": finish, "index": 0}],
        "modelVersion": by,
    }


def ask(
    contents: Sequence[Any],
    reply: Any = None,
    *,
    name: str = PRO,
    base: str = STUDIO,
    status: int = 200,
    **more: Any,
) -> Exchange:
    url = f"{base}/{name}:generateContent"
    return exchange(url, {"contents": list(contents)}, reply, status=status, **more)


HI = user("What is in a.md?")
DONE = answer({"text": "It is empty.", "thoughtSignature": S3})


def two_steps(
    brought: Sequence[Any],
    sent: Sequence[Any],
    reply: Any = None,
    *,
    status: int = 400,
    **more: Any,
) -> tuple[Exchange, ...]:
    """A response, and the next request that sends something of it back."""
    by = more.get("name", PRO)
    return (
        ask([HI], answer(*brought, by=by), **more),
        ask([HI, *sent], reply, status=status, **more),
    )


def lost(text: str | None = None, **more: Any) -> tuple[Exchange, ...]:
    """A signed call that comes back without its signature."""
    reply = refused(text) if text else None
    return two_steps(
        [call("ls", S1)], [model(call("ls")), results("ls")], reply, **more
    )


LET_ME, AGAIN = "Let me see what is there.", user("Go on, look into it")
PARALLEL = [call("ls", S1, "c1"), call("cat", None, "c2")]
RESULTS = {"role": "user", "parts": [result("ls", "c1"), result("cat", "c2")]}

BAD = (
    Bad(
        id="studio, refused in its own words",
        rule="GEM-1",
        exchanges=lost(MISSING_STUDIO),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("position 2", "function call ls", "received in step 1", "is missing"),
        is_confirmed=True,
    ),
    Bad(
        id="studio, nobody answered",
        rule="GEM-1",
        exchanges=lost(),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("position 2",),
    ),
    Bad(
        id="studio, second round of a turn",
        rule="GEM-1",
        exchanges=(
            ask([HI], answer(call("ls", S1))),
            ask([HI, model(call("ls", S1)), results("ls")], answer(call("cat", S2))),
            ask(
                [
                    HI,
                    model(call("ls", S1)),
                    results("ls"),
                    model(call("cat")),
                    results("cat"),
                ],
                refused(
                    MISSING_STUDIO.replace("position 2", "position 4").replace(
                        "default_api:ls", "default_api:cat"
                    )
                ),
                status=400,
            ),
        ),
        step=3,
        pointer="/contents/3/parts/0",
        severity=ERROR,
        says=("position 4", "received in step 2"),
        is_confirmed=True,
    ),
    Bad(
        id="studio, accepted all the same",
        rule="GEM-1",
        exchanges=two_steps(
            [call("ls", S1)], [model(call("ls")), results("ls")], DONE, status=200
        ),
        step=2,
        pointer="/contents/1/parts/0",
        severity=WARNING,
        says=("accepted it this time",),
    ),
    Bad(
        id="studio, history from before the recording",
        rule="GEM-1",
        exchanges=(
            ask(
                [HI, model(call("ls")), results("ls")],
                refused(MISSING_STUDIO),
                status=400,
            ),
        ),
        step=1,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("does not hold the response",),
        has_fix=False,
        is_confirmed=True,
    ),
    Bad(
        id="studio, snake case",
        rule="GEM-1",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model({"function_call": {"name": "ls", "args": {"of": "ls"}}}),
                results("ls"),
            ],
        ),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("function call ls",),
    ),
    Bad(
        id="vertex, refused in its own words",
        rule="GEM-2",
        exchanges=lost(MISSING_VERTEX, base=VERTEX),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("2. content block", "function call ls"),
        is_confirmed=True,
    ),
    Bad(
        id="vertex, a bypass that only studio knows",
        rule="GEM-2",
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls", "context_engineering_is_the_way_to_go")),
                    results("ls"),
                ],
                base=VERTEX,
            ),
        ),
        step=1,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("context_engineering", "2. content block"),
    ),
    Bad(
        id="no host in the recording",
        rule="GEM-3",
        exchanges=lost(base="/v1beta/models"),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("content 2",),
    ),
    Bad(
        id="studio, altered",
        rule="GEM-4",
        exchanges=two_steps(
            [call("ls", S1)],
            [model(call("ls", S1[:40] + "AAAA" + S1[44:])), results("ls")],
            refused("Corrupted thought signature."),
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("position 2", "altered", "differs from character 41"),
        is_confirmed=True,
    ),
    Bad(
        id="studio, altered in a closed turn",
        rule="GEM-4",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model(call("ls", S1[:40] + "AAAA" + S1[44:])),
                results("ls"),
                model({"text": "It is empty."}),
                user("And b.md?"),
            ],
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("altered",),
    ),
    Bad(
        id="studio, the signatures of two rounds exchanged",
        rule="GEM-4",
        exchanges=(
            ask([HI], answer(call("ls", S1, "c1"))),
            ask(
                [
                    HI,
                    model(call("ls", S1, "c1")),
                    {"role": "user", "parts": [result("ls", "c1")]},
                ],
                answer(call("cat", S2, "c2")),
            ),
            ask(
                [
                    HI,
                    model(call("ls", S2, "c1")),
                    {"role": "user", "parts": [result("ls", "c1")]},
                    model(call("cat", S1, "c2")),
                    {"role": "user", "parts": [result("cat", "c2")]},
                ],
            ),
        ),
        step=3,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("position 2", "stands where", "received in step 1"),
    ),
    Bad(
        id="studio, on the sibling in a closed turn",
        rule="GEM-4",
        exchanges=two_steps(
            PARALLEL,
            [
                model(call("ls", None, "c1"), call("cat", S1, "c2")),
                RESULTS,
                model({"text": "It is empty."}),
                user("And b.md?"),
            ],
        ),
        step=2,
        pointer="/contents/1/parts/1/thoughtSignature",
        severity=WARNING,
        says=("position 2", "stands on /contents/1/parts/1"),
    ),
    Bad(
        id="studio, an answer's signature leaks onto the next call",
        rule="GEM-4",
        exchanges=(
            ask([HI], answer({"text": LET_ME, "thoughtSignature": S3})),
            ask([HI, model({"text": LET_ME}), AGAIN], answer(call("ls", S1, "c1"))),
            ask(
                [
                    HI,
                    model({"text": LET_ME}),
                    AGAIN,
                    model(call("ls", S3, "c1")),
                    {"role": "user", "parts": [result("ls", "c1")]},
                ]
            ),
        ),
        step=3,
        pointer="/contents/3/parts/0/thoughtSignature",
        severity=WARNING,
        says=("stands where", "received in step 2"),
    ),
    Bad(
        id="vertex, altered",
        rule="GEM-5",
        exchanges=two_steps(
            [call("ls", S1)],
            [model(call("ls", S1[:40] + "AAAA" + S1[44:])), results("ls")],
            refused(
                "Unable to submit request because Thought signature is not valid.."
            ),
            base=VERTEX,
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("2. content block", "altered"),
        is_confirmed=True,
    ),
    Bad(
        id="vertex, bypass in base64",
        rule="GEM-5",
        exchanges=(
            ask([HI, model(call("ls", BYPASS_64)), results("ls")], base=VERTEX),
        ),
        step=1,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("in base64",),
    ),
    Bad(
        id="cut to a length of 1 modulo 4",
        rule="GEM-6",
        exchanges=two_steps(
            [call("ls", S1)], [model(call("ls", S1[:41])), results("ls")]
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("contents[1].parts[0].thoughtSignature", "41 characters", "belongs here"),
    ),
    Bad(
        id="ellipsis appended, on an old model, refused",
        rule="GEM-6",
        exchanges=two_steps(
            [call("ls", S1)],
            [model(call("ls", S1[:40] + "...")), results("ls")],
            refused(
                "Invalid value at 'contents[1].parts[0].thought_signature'"
                ' (TYPE_BYTES), Base64 decoding failed for "EhkK..."'
            ),
            name=OLD,
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("ellipsis",),
        is_confirmed=True,
    ),
    Bad(
        id="an object where base64 belongs",
        rule="GEM-6",
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls") | {"thoughtSignature": {"type": "Buffer"}}),
                    results("ls"),
                ]
            ),
        ),
        step=1,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("an object",),
        has_fix=False,
    ),
    Bad(
        id="parallel calls with their results in between",
        rule="GEM-7",
        exchanges=two_steps(
            PARALLEL,
            [
                model(PARALLEL[0]),
                {"role": "user", "parts": [result("ls", "c1")]},
                model(PARALLEL[1]),
                {"role": "user", "parts": [result("cat", "c2")]},
            ],
            refused(MISSING_STUDIO.replace(":ls", ":cat").replace("n 2", "n 4")),
        ),
        step=2,
        pointer="/contents/3/parts/0",
        severity=ERROR,
        says=("position 4", "cat", "in parallel with ls"),
        is_confirmed=True,
    ),
    Bad(
        id="parallel calls as two contents",
        rule="GEM-8",
        exchanges=two_steps(
            PARALLEL, [model(PARALLEL[0]), model(PARALLEL[1]), RESULTS]
        ),
        step=2,
        pointer="/contents/2/parts/0",
        severity=ERROR,
        says=("position 3", "cat", "step of position 2"),
    ),
    Bad(
        id="two contents in a row, response not recorded",
        rule="GEM-8",
        exchanges=(ask([HI, model(PARALLEL[0]), model(PARALLEL[1]), RESULTS]),),
        step=1,
        pointer="/contents/2/parts/0",
        severity=ERROR,
        says=("position 3",),
    ),
    Bad(
        id="a closed turn's call",
        rule="GEM-9",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model(call("ls")),
                results("ls"),
                model({"text": "It is empty."}),
                user("And b.md?"),
            ],
            DONE,
            status=200,
        ),
        step=2,
        pointer="/contents/1",
        severity=INFO,
        says=("turn is over",),
    ),
    Bad(
        id="an answer's signature",
        rule="GEM-10",
        exchanges=two_steps(
            [{"text": "It is empty, as far as I can see.", "thoughtSignature": S1}],
            [model({"text": "It is empty, as far as I can see."}), user("Thanks!")],
            DONE,
            status=200,
        ),
        step=2,
        pointer="/contents/1",
        severity=INFO,
        says=("left out", "received in step 1"),
    ),
    Bad(
        id="on the second of two calls",
        rule="GEM-11",
        exchanges=two_steps(
            PARALLEL,
            [model(call("ls", None, "c1"), call("cat", S1, "c2")), RESULTS],
        ),
        step=2,
        pointer="/contents/1/parts/1/thoughtSignature",
        severity=WARNING,
        says=("position 2", "on cat", "begins with ls"),
    ),
    Bad(
        id="on the second of two calls, refused",
        rule="GEM-11",
        exchanges=two_steps(
            PARALLEL,
            [model(call("ls", None, "c1"), call("cat", S1, "c2")), RESULTS],
            refused(MISSING_STUDIO),
        ),
        step=2,
        pointer="/contents/1/parts/1/thoughtSignature",
        severity=ERROR,
        says=("on cat",),
    ),
    Bad(
        id="copied onto the sibling",
        rule="GEM-12",
        exchanges=two_steps(
            PARALLEL,
            [model(call("ls", S1, "c1"), call("cat", S1, "c2")), RESULTS],
        ),
        step=2,
        pointer="/contents/1/parts/1/thoughtSignature",
        severity=WARNING,
        says=("1 other call",),
    ),
    Bad(
        id="inside the call",
        rule="GEM-13",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model(
                    {
                        "functionCall": {
                            "name": "ls",
                            "args": {"of": "ls"},
                            "thoughtSignature": S1,
                        }
                    }
                ),
                results("ls"),
            ],
        ),
        step=2,
        pointer="/contents/1/parts/0/functionCall/thoughtSignature",
        severity=WARNING,
        says=("functionCall/thoughtSignature",),
    ),
    Bad(
        id="in a field of the client's own invention",
        rule="GEM-13",
        exchanges=two_steps(
            [call("ls", S1)], [model(call("ls") | {"blob": S1}), results("ls")]
        ),
        step=2,
        pointer="/contents/1/parts/0/blob",
        severity=WARNING,
        says=("stands in blob",),
    ),
    Bad(
        id="on a result",
        rule="GEM-13",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model(call("ls")),
                {"role": "user", "parts": [result("ls") | {"thoughtSignature": S1}]},
            ],
        ),
        step=2,
        pointer="/contents/2/parts/0/thoughtSignature",
        severity=WARNING,
        says=("function result",),
    ),
    Bad(
        id="issued by vertex, sent to studio",
        rule="GEM-14",
        exchanges=(
            ask([HI], answer(call("ls", S1)), base=VERTEX),
            ask([HI, model(call("ls", S1)), results("ls")]),
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=ERROR,
        says=("aiplatform.googleapis.com", "position 2"),
    ),
    Bad(
        id="a call that vertex made, dropped on the way to studio",
        rule="GEM-1",
        exchanges=(
            ask([HI], answer(call("ls", S1)), base=VERTEX),
            ask([HI, model(call("ls")), results("ls")]),
        ),
        step=2,
        pointer="/contents/1/parts/0",
        severity=ERROR,
        says=("another service made the call", "bypass"),
    ),
    Bad(
        id="looks like vertex, sent to studio",
        rule="GEM-14",
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls", gemini_signature("x", "vertex"))),
                    results("ls"),
                ]
            ),
        ),
        step=1,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("looks like", "Vertex", "AI Studio"),
    ),
    Bad(
        id="looks like Claude",
        rule="GEM-14",
        exchanges=(
            ask([HI, model({"text": "Hm", "thoughtSignature": claude_signature("x")})]),
        ),
        step=1,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("Claude",),
    ),
    Bad(
        id="bypass over a genuine one",
        rule="GEM-14",
        exchanges=two_steps(
            [call("ls", S1)],
            [model(call("ls", BYPASS)), results("ls")],
            DONE,
            status=200,
        ),
        step=2,
        pointer="/contents/1/parts/0/thoughtSignature",
        severity=WARNING,
        says=("replaced by", "anew"),
    ),
    Bad(
        id="an image left without its signature",
        rule="GEM-15",
        exchanges=two_steps(
            [
                {"text": "Here is the picture you wanted.", "thoughtSignature": S1},
            ],
            [model({"text": "Here is the picture you wanted."}), user("Bluer!")],
            name=IMAGE,
        ),
        step=2,
        pointer="/contents/1",
        severity=WARNING,
        says=("contested",),
    ),
    Bad(
        id="a signed thought shortened",
        rule="GEM-16",
        exchanges=two_steps(
            [
                {"text": "I look first.", "thought": True, "thoughtSignature": S1},
                {"text": "It is empty, as far as I can see."},
            ],
            [
                model(
                    {"text": "...", "thought": True, "thoughtSignature": S1},
                    {"text": "It is empty, as far as I can see."},
                ),
                user("Thanks!"),
            ],
            refused("Invalid thought signature."),
            name=FLASH,
        ),
        step=2,
        pointer="/contents/1/parts/0/text",
        severity=ERROR,
        says=("3 characters", "13 were received"),
        is_confirmed=True,
    ),
    Bad(
        id="an answer's text under a kept signature",
        rule="GEM-16",
        exchanges=two_steps(
            [{"text": "It is empty, as far as I can see.", "thoughtSignature": S1}],
            [
                model({"text": "It holds one line.", "thoughtSignature": S1}),
                user("Thanks!"),
            ],
        ),
        step=2,
        pointer="/contents/1/parts/0/text",
        severity=WARNING,
        says=("the text signed with", "18 characters", "33 were received"),
    ),
    Bad(
        id="finish reason, whole response",
        rule="GEM-17",
        exchanges=(
            ask([HI], {"candidates": [{"finishReason": "MISSING_THOUGHT_SIGNATURE"}]}),
        ),
        step=1,
        pointer="/candidates/0/finishReason",
        severity=WARNING,
        says=("no content", "200"),
        has_fix=False,
        in_response=True,
    ),
    Bad(
        id="finish reason, streamed",
        rule="GEM-17",
        exchanges=(
            ask(
                [HI],
                events=[
                    {"candidates": [{"content": model({"text": "Hm"})}]},
                    {"candidates": [{"finishReason": "MISSING_THOUGHT_SIGNATURE"}]},
                ],
            ),
        ),
        step=1,
        pointer="/candidates/0/finishReason",
        severity=WARNING,
        says=("after some content",),
        has_fix=False,
        in_response=True,
        event=2,
    ),
    Bad(
        id="each result twice, as a resumed session sends them",
        rule="GEM-18",
        exchanges=two_steps(
            PARALLEL,
            [model(*PARALLEL), {"role": "user", "parts": RESULTS["parts"] * 2}],
        ),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("position 3", "4 results", "2 calls", "2 results stand there already"),
    ),
    Bad(
        id="each result twice, without ids",
        rule="GEM-18",
        exchanges=two_steps(
            [call("ls", S1)], [model(call("ls", S1)), results("ls", "ls")]
        ),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("2 results", "1 call"),
    ),
    Bad(
        id="two results of one call differ",
        rule="GEM-18",
        exchanges=two_steps(
            [call("ls", S1)],
            [
                model(call("ls", S1)),
                {
                    "role": "user",
                    "parts": [
                        result("ls"),
                        {"functionResponse": {"name": "ls", "response": {"a": 1}}},
                    ],
                },
            ],
        ),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("2 results",),
        has_fix=False,
    ),
    Bad(
        id="the results come once more in a content of their own",
        rule="GEM-18",
        exchanges=two_steps(PARALLEL, [model(*PARALLEL), RESULTS, RESULTS]),
        step=2,
        pointer="/contents/3",
        severity=ERROR,
        says=("position 4", "2 results", "already"),
    ),
    Bad(
        id="one result is left out",
        rule="GEM-18",
        exchanges=two_steps(
            PARALLEL,
            [model(*PARALLEL), {"role": "user", "parts": [result("ls", "c1")]}],
        ),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("1 result where", "2 calls", "cat (c2) has none"),
        has_fix=False,
    ),
    Bad(
        id="a result is left out that an earlier request had",
        rule="GEM-18",
        exchanges=(
            ask([HI], answer(*PARALLEL)),
            ask([HI, model(*PARALLEL), RESULTS], DONE),
            ask(
                [
                    HI,
                    model(*PARALLEL),
                    {"role": "user", "parts": [result("cat", "c2")]},
                    model({"text": "It is empty.", "thoughtSignature": S3}),
                    AGAIN,
                ]
            ),
        ),
        step=3,
        pointer="/contents/2",
        severity=ERROR,
        says=("ls (c1) has none",),
    ),
    Bad(
        id="a result stands behind the user's remark",
        rule="GEM-18",
        exchanges=two_steps(
            PARALLEL,
            [
                model(*PARALLEL),
                {"role": "user", "parts": [result("cat", "c2")]},
                AGAIN,
                {"role": "user", "parts": [result("ls", "c1")]},
            ],
        ),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("ls (c1) has none", "its result stands in position 5"),
    ),
    Bad(
        id="all results stand behind the user's remark",
        rule="GEM-18",
        exchanges=two_steps(PARALLEL, [model(*PARALLEL), AGAIN, RESULTS]),
        step=2,
        pointer="/contents/2",
        severity=ERROR,
        says=("no result", "results stand in position 4"),
    ),
    Bad(
        id="results in contents of their own, one after the other",
        rule="GEM-18",
        exchanges=two_steps(
            PARALLEL,
            [
                model(*PARALLEL),
                {"role": "user", "parts": [result("ls", "c1")]},
                {"role": "user", "parts": [result("cat", "c2")]},
            ],
        ),
        step=2,
        pointer="/contents/2",
        severity=WARNING,
        says=("1 result where", "position 4"),
    ),
)

GOOD = (
    Good(
        id="twins without ids, each with the same result",
        rules=("GEM-18",),
        exchanges=two_steps(
            [call("ls", S1), call("ls")],
            [model(call("ls", S1), call("ls")), results("ls", "ls")],
        ),
    ),
    Good(
        id="calls of model contents in a row, answered together",
        rules=("GEM-18",),
        exchanges=two_steps(
            PARALLEL, [model(PARALLEL[0]), model(PARALLEL[1]), RESULTS]
        ),
    ),
    Good(
        id="calls that still wait for their results",
        rules=("GEM-18",),
        exchanges=two_steps(PARALLEL, [model(*PARALLEL)]),
    ),
    Good(
        id="one bypass on every sibling",
        rules=("GEM-12",),
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls", BYPASS, "c1"), call("cat", BYPASS, "c2")),
                    RESULTS,
                ]
            ),
        ),
    ),
    Good(
        id="a title request that repeats the chat without signatures",
        exchanges=(
            ask([HI], answer(call("ls", S1))),
            ask([HI, model(call("ls", S1)), results("ls")], DONE),
            ask(
                [
                    HI,
                    model(call("ls")),
                    results("ls"),
                    model({"text": "It is empty."}),
                    user("Write a title for this chat."),
                ],
                answer({"text": "Empty"}),
            ),
        ),
    ),
    Good(
        id="parallel siblings are unsigned",
        exchanges=two_steps(PARALLEL, [model(*PARALLEL), RESULTS], DONE, status=200),
    ),
    Good(
        id="parallel siblings are unsigned, nobody answered",
        exchanges=two_steps(PARALLEL, [model(*PARALLEL), RESULTS]),
    ),
    Good(
        id="the other base64 alphabet",
        exchanges=two_steps(
            [call("ls", S1)],
            [model(call("ls", urlsafe(S1).rstrip("="))), results("ls")],
        ),
    ),
    Good(
        id="an old model does not insist",
        exchanges=two_steps(
            [call("ls", S1)], [model(call("ls")), results("ls")], name=OLD
        ),
    ),
    Good(
        id="unsigned calls of closed turns",
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls")),
                    results("ls"),
                    model({"text": "It is empty."}),
                    user("And b.md?"),
                ]
            ),
        ),
    ),
    Good(
        id="a bypass for an imported history",
        exchanges=(ask([HI, model(call("ls", BYPASS)), results("ls")]),),
    ),
    Good(
        id="a bypass in base64 that vertex accepted",
        exchanges=(
            ask([HI, model(call("ls", BYPASS_64)), results("ls")], DONE, base=VERTEX),
        ),
    ),
    Good(
        id="a foreign look that was accepted",
        exchanges=(
            ask(
                [
                    HI,
                    model(call("ls", gemini_signature("x", "vertex"))),
                    results("ls"),
                ],
                DONE,
            ),
        ),
    ),
    Good(
        id="an answer whose streamed pieces were joined",
        rules=("GEM-16",),
        exchanges=(
            ask(
                [HI],
                events=[
                    answer({"text": "It is empty, "}),
                    answer({"text": "as far as I can see."}),
                    answer({"text": "", "thoughtSignature": S1}),
                ],
            ),
            ask(
                [
                    HI,
                    model(
                        {
                            "text": "It is empty, as far as I can see.",
                            "thoughtSignature": S1,
                        }
                    ),
                    user("Thanks!"),
                ]
            ),
        ),
    ),
    Good(
        id="a thought whose streamed pieces were joined",
        rules=("GEM-16",),
        exchanges=two_steps(
            [
                {"text": "I look", "thought": True},
                {"text": " first.", "thought": True, "thoughtSignature": S1},
                {"text": "It is empty, as far as I can see."},
            ],
            [
                model(
                    {
                        "text": "I look first.",
                        "thought": True,
                        "thoughtSignature": S1,
                    },
                    {"text": "It is empty, as far as I can see."},
                ),
                user("Thanks!"),
            ],
        ),
    ),
    Good(
        id="a second content that is stamped with a bypass",
        rules=("GEM-7", "GEM-8"),
        exchanges=two_steps(
            PARALLEL,
            [model(PARALLEL[0]), model(call("cat", BYPASS, "c2")), RESULTS],
            DONE,
            status=200,
        ),
    ),
    Good(
        id="a closed turn is mentioned once only",
        rules=(),
        exchanges=two_steps(
            [{"text": "It is empty, as far as I can see.", "thoughtSignature": S1}],
            [model({"text": "It is empty, as far as I can see."}), user("Thanks!")],
            DONE,
            status=200,
        ),
    ),
)
