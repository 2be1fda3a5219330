"""What each field of a policy does to Gemini's contents on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import (
    BOTH,
    ONE_BY_ONE,
    READ,
    THANKS,
    body,
    changed,
    hold,
    models,
    signatures,
)

from sigscope.converse.loop import TalkStep
from sigscope.converse.policy import SignatureWrite

GEMINI = "faithful-gemini"
SIGNATURE = "thoughtSignature"


def second(turn: str = READ, **sections: Any) -> tuple[TalkStep, TalkStep]:
    """The first two exchanges of a conversation under a changed policy."""
    held = hold(changed(GEMINI, **sections), [turn])
    return held[0], held[1]


def signed(parts: list[dict[str, Any]]) -> list[str]:
    """Kinds of the parts that carry a signature."""
    return [
        "call" if "functionCall" in part else "thought" if "thought" in part else "text"
        for part in parts
        if SIGNATURE in part
    ]


def roles(taken: TalkStep) -> list[str]:
    return [content["role"] for content in body(taken)["contents"]]


def test_a_faithful_client_sends_every_part_as_it_came() -> None:
    first, then = second()
    (parts,) = models(then)
    assert parts[0] == {"text": first.heard.thoughts, "thought": True}
    assert parts[1]["functionCall"]["args"] == {"path": "README.md"}
    assert parts[1][SIGNATURE] == signatures(first)[0]
    assert len(parts) == 2


def test_parts_keep_their_bytes_as_received_or_are_joined() -> None:
    first, then = second(shape={"texts": "as-received"})
    thoughts = [p for p in first.heard.pieces if p.kind == "thought"]
    assert len(thoughts) > 1
    assert [p["text"] for p in models(then)[0][:-1]] == [p.text for p in thoughts]


def test_a_signed_part_is_never_joined_with_an_unsigned_one() -> None:
    held = hold(GEMINI, [READ, THANKS])
    answer = models(held[2])[1]
    assert [part["text"] == "" for part in answer if SIGNATURE in part] == [True]
    texts = [p for p in answer if "thought" not in p and SIGNATURE not in p]
    assert [p["text"] for p in texts] == [held[1].heard.text]


def test_thoughts_may_stay_at_home() -> None:
    _, then = second(shape={"thoughts": ""})
    assert not any("thought" in part for part in models(then)[0])


@pytest.mark.parametrize(
    ("write", "where"),
    [
        (
            SignatureWrite(on="calls", path="functionCall/thoughtSignature"),
            "functionCall",
        ),
        (SignatureWrite(on="first-call", path="thought_signature"), None),
    ],
)
def test_the_signature_stands_where_the_policy_writes_it(
    write: SignatureWrite, where: str | None
) -> None:
    first, then = second(write=(write,))
    call = models(then)[0][-1]
    holder = call[where] if where else call
    assert holder[write.path.split("/")[-1]] == signatures(first)[0]


def test_it_may_stand_on_the_content() -> None:
    first, then = second(write=(SignatureWrite(on="message", path=SIGNATURE),))
    content = body(then)["contents"][1]
    assert content[SIGNATURE] == signatures(first)[0]


def test_it_may_stand_on_the_function_response() -> None:
    first, then = second(write=(SignatureWrite(on="results", path=SIGNATURE),))
    assert body(then)["contents"][2]["parts"][0][SIGNATURE] == signatures(first)[0]


def test_it_may_stand_on_every_call() -> None:
    _, then = second(BOTH, write=(SignatureWrite(on="calls", path=SIGNATURE),))
    assert signed(models(then)[0]) == ["call", "call"]


def test_it_may_stand_in_the_next_content() -> None:
    policy = changed(GEMINI, write=(SignatureWrite(on="next-message", path="late"),))
    held = hold(policy, [READ, THANKS])
    assert len(held) == 2, "the call is refused without its signature"
    held = hold(policy, [THANKS, THANKS, THANKS])
    one, two = models(held[2])
    assert not any("late" in part for part in one)
    assert two[0]["late"] == signatures(held[0])[0]


def test_without_calls_the_first_part_takes_a_first_call_s_signature() -> None:
    policy = changed(
        GEMINI,
        write=(SignatureWrite(on="first-call", path=SIGNATURE),),
        shape={"thoughts": ""},
    )
    held = hold(policy, [THANKS, THANKS])
    parts = models(held[1])[0]
    assert parts[0][SIGNATURE] == signatures(held[0])[0]


def test_a_signature_of_a_text_may_leak_to_the_next_call() -> None:
    """Gemini 2.5 signs the first part; this client glues it to the call after it."""
    policy = changed("vscode-byok-gemini", model="gemini-2.5-pro")
    held = hold(policy, [ONE_BY_ONE])
    assert held[0].heard.pieces[held[0].heard.captured[0].piece or 0].kind == "text"
    assert signed(models(held[1])[0]) == ["call"]
    assert held[1].status == 400
    faithful = hold(changed(GEMINI, model="gemini-2.5-pro"), [ONE_BY_ONE])
    assert signed(models(faithful[1])[0]) == ["text"]
    assert faithful[1].status == 200


def test_a_signature_without_a_later_call_is_lost_to_such_a_client() -> None:
    held = hold("vscode-byok-gemini", [THANKS, THANKS])
    assert signatures(held[0])
    assert signed(models(held[1])[0]) == []


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("together", ["user", "model", "user"]),
        ("split", ["user", "model", "model", "user"]),
        ("interleaved", ["user", "model", "user", "model", "user"]),
    ],
)
def test_parallel_calls_stand_together_or_apart(way: str, expected: list[str]) -> None:
    _, then = second(BOTH, shape={"parallel": way})
    assert roles(then) == expected
    assert (then.status == 200) == (way == "together")


def test_interleaved_results_follow_their_own_call() -> None:
    _, then = second(BOTH, shape={"parallel": "interleaved"})
    contents = body(then)["contents"]
    for call, result in ((contents[1], contents[2]), (contents[3], contents[4])):
        asked = call["parts"][-1]["functionCall"]["id"]
        assert result["parts"][0]["functionResponse"]["id"] == asked


def test_calls_without_ids_are_answered_without_ids() -> None:
    held = hold(changed(GEMINI, model="gemini-2.5-pro"), [READ])
    contents = body(held[1])["contents"]
    assert "id" not in contents[1]["parts"][-1]["functionCall"]
    assert "id" not in contents[2]["parts"][0]["functionResponse"]
    assert held[1].status == 200


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("all", [True, True]),
        ("unsigned", [False, True]),
        ("first-unsigned", [False, False]),
        ("never", [False, False]),
    ],
)
def test_stand_ins_are_stamped_as_the_policy_says(
    calls: str, expected: list[bool]
) -> None:
    _, then = second(BOTH, bypass={"calls": calls, "value": "raw", "path": SIGNATURE})
    parts = [p for p in models(then)[0] if "functionCall" in p]
    stamp = "skip_thought_signature_validator"
    assert [part.get(SIGNATURE) == stamp for part in parts] == expected


def test_a_client_that_reads_nothing_passes_with_stand_ins_on_first_calls() -> None:
    held = hold("gemini-bypass-missing", [BOTH])
    parts = [p for p in models(held[1])[0] if "functionCall" in p]
    assert [SIGNATURE in part for part in parts] == [True, False]
    assert held[1].status == 200


def test_another_alphabet_is_taken_and_a_cut_is_not() -> None:
    assert second(value={"form": "url-safe"})[1].status == 200
    assert second(value={"form": "cut"})[1].status == 400


def test_arguments_that_are_no_json_are_sent_all_the_same() -> None:
    from sigscope.converse.memory import RememberedReply, ReplyPiece, Words
    from sigscope.converse.writers.gemini import GeminiWriter

    piece = ReplyPiece(kind="call", name="f", arguments="{broken")
    writer = GeminiWriter(changed(GEMINI))
    contents = writer.contents([Words(text="x"), RememberedReply(pieces=(piece,))], {})
    assert contents[1]["parts"] == [
        {"functionCall": {"name": "f", "args": {"_": "{broken"}}}
    ]
