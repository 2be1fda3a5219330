"""A mender as a plain object: requests and answers in, what to send instead out."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import (
    GREP,
    LS,
    OPAQUE,
    OPAQUE_B,
    READ,
    SIG,
    SIG_B,
    answers,
    ask,
    claude,
    copilot,
    exchange,
    gemini,
    openrouter,
    request_body,
    response_body,
    result,
    tool_results,
    user,
)
from tests.cli.commands import SESSIONS

from sigscope.engine.recording.mender import Mender
from sigscope.exchange import Body, Headers, Request, Response
from sigscope.recorder.mend import Mend, Unmended
from sigscope.store import open_session

Json = Any
KEY: Headers = (("Authorization", "Bearer gho_one"),)
OTHER: Headers = (("Authorization", "Bearer gho_two"),)


def request(
    dialect: str, history: Sequence[Json], *, key: Headers = KEY, url: str | None = None
) -> Request:
    made = exchange(dialect, request_body(dialect, history), {}, url=url).request
    assert made is not None
    return replace(made, headers=(*made.headers, *key))


def response(dialect: str, reply: Json) -> Response:
    made = exchange(dialect, {}, response_body(dialect, reply)).response
    assert made is not None
    return made


def teach(
    mender: Mender,
    dialect: str,
    history: Sequence[Json],
    *,
    key: Headers = KEY,
    url: str | None = None,
    step: int = 1,
) -> None:
    """An exchange whose answer is the last message of a history."""
    asked = request(dialect, history[:-1], key=key, url=url)
    mender.learn(asked, response(dialect, history[-1]), step)


def told(verdict: Mend | Unmended) -> list[tuple[str, str, int]]:
    assert isinstance(verdict, Mend), verdict
    return [(r.rule, r.act, r.count) for r in verdict.remedies]


def body(verdict: Mend | Unmended) -> Json:
    assert isinstance(verdict, Mend), verdict
    return json.loads(verdict.request.body.raw)


COPILOT = [user(), copilot(LS), result(LS)]
DROPPED = [user(), copilot(LS, opaque=None), result(LS)]


def taught(dialect: str = "copilot-chat", history: Sequence[Json] = COPILOT) -> Mender:
    mender = Mender()
    teach(mender, dialect, history[:2])
    return mender


@pytest.mark.parametrize(
    ("dialect", "right", "sent", "rule"),
    [
        ("copilot-chat", COPILOT, DROPPED, "CPC-1"),
        (
            "openrouter",
            [user(), openrouter(LS), result(LS)],
            [user(), openrouter(LS, details=()), result(LS)],
            "ORT-1",
        ),
        (
            "gemini",
            [ask(), gemini(LS), answers(LS)],
            [ask(), gemini(LS, signature=None), answers(LS)],
            "GEM-1",
        ),
        (
            "anthropic",
            [user(), claude(LS), tool_results(LS)],
            [user(), claude(LS, signature=None), tool_results(LS)],
            "ANT-2",
        ),
        (
            "deepseek",
            [user(), builders.deepseek(LS), result(LS)],
            [
                user(),
                {
                    k: v
                    for k, v in builders.deepseek(LS).items()
                    if k != "reasoning_content"
                },
                result(LS),
            ],
            "DSK-2",
        ),
    ],
    ids=["copilot", "openrouter", "gemini", "anthropic", "deepseek"],
)
def test_what_the_client_dropped_is_put_back_as_it_came(
    dialect: str, right: list[Json], sent: list[Json], rule: str
) -> None:
    verdict = taught(dialect, right).mend(request(dialect, sent))
    assert told(verdict) == [(rule, "put back", 1)]
    assert body(verdict) == request_body(dialect, right)


def test_a_request_without_fault_goes_as_it_came() -> None:
    assert taught().mend(request("copilot-chat", COPILOT)) == Unmended()


def test_what_is_mended_needs_no_mending() -> None:
    mender = taught()
    verdict = mender.mend(request("copilot-chat", DROPPED))
    assert isinstance(verdict, Mend)
    assert mender.mend(verdict.request) == Unmended()


def test_what_stands_in_the_wrong_place_is_moved() -> None:
    astray = copilot(LS, opaque=None)
    astray["reasoningOpaque"] = OPAQUE
    verdict = taught().mend(request("copilot-chat", [user(), astray, result(LS)]))
    assert ("CPC-1", "moved", 1) in told(verdict)
    assert body(verdict) == request_body("copilot-chat", COPILOT)


def test_a_result_that_was_sent_twice_is_dropped() -> None:
    right = [ask(), gemini(LS, READ), answers(LS, READ)]
    twice = [ask(), gemini(LS, READ), answers(LS, READ, READ)]
    verdict = taught("gemini", right).mend(request("gemini", twice))
    assert told(verdict) == [("GEM-18", "dropped", 1)]
    assert body(verdict) == request_body("gemini", right)


def test_another_credential_gets_nothing() -> None:
    asked = request("copilot-chat", DROPPED, key=OTHER)
    assert taught().mend(asked) == Unmended()


def test_another_account_of_the_same_key_gets_nothing() -> None:
    key = (*KEY, ("OpenAI-Organization", "org-2"))
    assert taught().mend(request("copilot-chat", DROPPED, key=key)) == Unmended()


def test_a_key_in_the_address_is_a_credential() -> None:
    right = [ask(), gemini(LS), answers(LS)]
    dropped = [ask(), gemini(LS, signature=None), answers(LS)]
    mender = Mender()
    url = builders.URLS["gemini"]
    teach(mender, "gemini", right[:2], key=(), url=f"{url}?key=one")
    other = request("gemini", dropped, key=(), url=f"{url}?key=two")
    same = request("gemini", dropped, key=(), url=f"{url}?key=one")
    assert mender.mend(other) == Unmended()
    assert isinstance(mender.mend(same), Mend)


def test_another_service_gets_nothing() -> None:
    url = "https://api.business.githubcopilot.com/chat/completions"
    assert taught().mend(request("copilot-chat", DROPPED, url=url)) == Unmended()


def test_two_conversations_with_the_same_calls_get_their_own() -> None:
    mender = Mender()
    one, two = user("What is in a.md?"), user("What is in b.md?")
    teach(mender, "copilot-chat", [one, copilot(LS, opaque=OPAQUE)], step=1)
    teach(mender, "copilot-chat", [two, copilot(LS, opaque=OPAQUE_B)], step=2)
    for opener, opaque in ((one, OPAQUE), (two, OPAQUE_B)):
        sent = [opener, copilot(LS, opaque=None), result(LS)]
        verdict = mender.mend(request("copilot-chat", sent))
        assert body(verdict)["messages"][1]["reasoning_opaque"] == opaque


def test_the_same_question_answered_alike_twice_is_not_certain() -> None:
    mender = Mender()
    teach(mender, "copilot-chat", [user(), copilot(LS, opaque=OPAQUE)], step=1)
    teach(mender, "copilot-chat", [user(), copilot(LS, opaque=OPAQUE_B)], step=2)
    verdict = mender.mend(request("copilot-chat", DROPPED))
    assert isinstance(verdict, Unmended)
    assert "of another conversation is not certain" in verdict.reason


def test_a_conversation_from_before_the_recording_gets_nothing_of_another() -> None:
    """Its call looks like one that was recorded, and belongs to another question."""
    sent = [user("What is in c.md?"), copilot(LS, opaque=None), result(LS)]
    verdict = taught().mend(request("copilot-chat", sent))
    assert isinstance(verdict, Unmended)
    assert "not certain" in verdict.reason
    renamed = (LS[0], "remove_files", LS[2])
    sent = [ask(), gemini(renamed, signature=None), answers(renamed)]
    learned = taught("gemini", [ask(), gemini(LS), answers(LS)])
    assert isinstance(learned.mend(request("gemini", sent)), Unmended)


def test_a_call_that_is_only_spelled_otherwise_is_the_same() -> None:
    sent = json.loads(json.dumps(DROPPED))
    function = sent[1]["tool_calls"][0]["function"]
    function["arguments"] = f"  {function['arguments']}\n"
    verdict = taught().mend(request("copilot-chat", sent))
    assert told(verdict) == [("CPC-1", "put back", 1)]


def test_an_id_that_no_other_call_has_is_enough() -> None:
    """Clients shorten what lies far back."""
    call = ("call_0123456789abcdefghijklmn", "list_files", {"path": "."})
    mender = Mender()
    history = [user("A" * 200), copilot(call), result(call)]
    teach(mender, "copilot-chat", history[:2])
    sent = [user("A" * 20), copilot(call, opaque=None), result(call)]
    assert told(mender.mend(request("copilot-chat", sent))) == [
        ("CPC-1", "put back", 1)
    ]


@pytest.mark.parametrize(
    "header",
    [
        ("Authorization", "AWS4-HMAC-SHA256 Credential=AKIA/20261122/x, Signature=0"),
        ("X-Amz-Content-Sha256", "0" * 64),
        ("Content-Digest", "sha-256=:AAAA:"),
        ("Signature-Input", 'sig1=("content-digest")'),
        ("authorization", "  aws4-hmac-sha256 Credential=AKIA/20261122/x"),
        ("Authorization", "AWS4-ECDSA-P256-SHA256 Credential=AKIA/x, Signature=0"),
        ("Authorization", "TC3-HMAC-SHA256 Credential=AKID/x, Signature=0"),
        ("Authorization", 'Signature version="1",keyId="ocid1.tenancy"'),
        ("X-Amz-Authorization", "AWS4-HMAC-SHA256 Credential=AKIA/x"),
        ("x-amz-content-sha256", "UNSIGNED-PAYLOAD"),
        ("X-Amz-Checksum-Crc32", "AAAA"),
        ("X-Content-SHA256", "AAAA"),
        ("X-Hub-Signature-256", "sha256=0"),
        ("Repr-Digest", "sha-256=:AAAA:"),
    ],
    ids=lambda header: f"{header[0]}-{header[1][:8]}",
)
def test_a_signed_body_is_left_alone(header: tuple[str, str]) -> None:
    mender = Mender()
    teach(mender, "copilot-chat", COPILOT[:2], key=(header,))
    verdict = mender.mend(request("copilot-chat", DROPPED, key=(header,)))
    assert verdict == Unmended("its body is signed, or its digest is sent along")


@pytest.mark.parametrize(
    "query",
    [
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=00",
        "x-amz-credential=AKIA&a=b",
        "X%2DAmz%2DSignature=00",
        "a=b&X-Goog-Signature=00",
        "AWSAccessKeyId=x&Signature=00",
    ],
)
def test_a_signed_address_is_left_alone(query: str) -> None:
    url = f"https://api.githubcopilot.com/chat/completions?{query}"
    mender = Mender()
    teach(mender, "copilot-chat", COPILOT[:2], url=url)
    verdict = mender.mend(request("copilot-chat", DROPPED, url=url))
    assert verdict == Unmended("its body is signed, or its digest is sent along")


def test_what_was_edited_by_hand_counts_where_it_stands_for_what_came() -> None:
    mender = Mender()
    came = request("copilot-chat", DROPPED)
    assert mender.stands_for(request("copilot-chat", COPILOT), came)
    other = request("copilot-chat", COPILOT, key=OTHER)
    assert not mender.stands_for(other, came)
    away = replace(came, url="https://elsewhere.example/chat/completions")
    assert not mender.stands_for(away, came)
    changed = {**request_body("copilot-chat", COPILOT), "model": "another"}
    model = replace(came, body=Body(json.dumps(changed).encode()))
    assert not mender.stands_for(model, came)


def test_a_call_that_the_client_edited_is_no_answer_of_before() -> None:
    """Its arguments are others: the signature is of what the model wrote."""
    call = (LS[0], LS[1], {"path": "elsewhere"})
    sent = [user(), copilot(call, opaque=None), result(call)]
    verdict = taught().mend(request("copilot-chat", sent))
    assert isinstance(verdict, Unmended)


def test_an_old_turn_that_is_sent_again_gets_what_it_had() -> None:
    again = [*DROPPED, copilot(content="Done."), user("Again")]
    mender = taught()
    first = mender.mend(request("copilot-chat", DROPPED))
    second = mender.mend(request("copilot-chat", DROPPED))
    assert first == second
    assert told(first) == [("CPC-1", "put back", 1)]
    later = mender.mend(request("copilot-chat", again))
    if isinstance(later, Mend):
        assert body(later)["messages"][1]["reasoning_opaque"] == OPAQUE


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: raw.replace(b'"messages"', b'"messages": [], "messages"', 1),
        lambda raw: raw.replace(b'"role"', b'"role": "user", "role"', 2),
        lambda raw: raw.replace(b"list_files", b"list\xff_files"),
        lambda raw: raw.replace(b"What is", b"What\xfe\xffis"),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw[:-1],
        lambda raw: raw + b"}",
    ],
)
def test_odd_json_is_left_alone_or_loses_nothing(spoil: Any) -> None:
    """Repeated keys, bytes that are no UTF-8, a mark at the beginning, a cut."""
    sent = request("copilot-chat", DROPPED)
    raw = spoil(sent.body.raw)
    verdict = taught().mend(replace(sent, body=Body(raw)))
    if isinstance(verdict, Mend):
        put = verdict.request.body.raw
        pairs = enumerate(zip(raw, put, strict=False))
        start = next(at for at, (a, b) in pairs if a != b)
        rest = len(raw) - start
        assert put[:start] == raw[:start]
        assert put[len(put) - rest + 1 :] == raw[start + 1 :]
        assert OPAQUE.encode() in put


def test_only_what_the_named_rules_find_is_mended() -> None:
    for only, expected in ((("CPC-1",), True), (("ORT-1",), False)):
        mender = Mender(only=only)
        teach(mender, "copilot-chat", COPILOT[:2])
        verdict = mender.mend(request("copilot-chat", DROPPED))
        assert isinstance(verdict, Mend) is expected


def test_an_unknown_api_is_left_alone() -> None:
    mender = Mender()
    url = "https://api.example/v1/odd"
    asked = Request(url=url, headers=KEY, body=Body(b'{"turns":[]}'))
    mender.learn(asked, Response(status=200, body=Body(b'{"blob":"AAAA"}')), 1)
    assert mender.mend(asked) == Unmended()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"messages":3}', b"\xff\xfe"])
def test_a_broken_body_is_left_alone(data: bytes) -> None:
    asked = replace(request("copilot-chat", DROPPED), body=Body(data))
    assert taught().mend(asked) == Unmended()


def test_what_a_refusal_brought_is_not_learned() -> None:
    mender = Mender()
    asked = request("copilot-chat", COPILOT[:1])
    refused = replace(response("copilot-chat", COPILOT[1]), status=500)
    mender.learn(asked, refused, 1)
    assert mender.mend(request("copilot-chat", DROPPED)) == Unmended()


def test_no_stand_in_is_put_in_where_nothing_is_known() -> None:
    """The readiest cure of Gemini's missing signature is a bypass."""
    sent = [ask(), gemini(LS, signature=None), answers(LS)]
    mender = taught("gemini", [ask("Hello"), gemini(READ), answers(READ)])
    assert isinstance(mender.mend(request("gemini", sent)), Unmended)


def test_a_signature_that_did_not_come_here_is_not_moved() -> None:
    astray = copilot(READ, opaque=None)
    astray["reasoningOpaque"] = OPAQUE_B
    history = [*COPILOT, astray, result(READ)]
    verdict = taught().mend(request("copilot-chat", history))
    assert isinstance(verdict, Unmended)


def test_all_turns_of_a_loop_are_mended() -> None:
    first, second = copilot(LS), copilot(READ, opaque=OPAQUE_B)
    mender = Mender()
    teach(mender, "copilot-chat", [user(), first], step=1)
    bare = [user(), copilot(LS, opaque=None), result(LS)]
    mender.learn(
        request("copilot-chat", bare), response("copilot-chat", second), step=2
    )
    sent = [*bare, copilot(READ, opaque=None), result(READ)]
    verdict = mender.mend(request("copilot-chat", sent))
    right = [user(), first, result(LS), second, result(READ)]
    assert body(verdict) == request_body("copilot-chat", right)
    assert sum(count for _, _, count in told(verdict)) == 2


def test_a_compressed_body_is_mended_and_travels_plain() -> None:
    import gzip

    plain = request("copilot-chat", DROPPED)
    packed = replace(
        plain,
        headers=(*plain.headers, ("Content-Encoding", "gzip"), ("Content-Length", "9")),
        body=Body(gzip.compress(plain.body.raw)),
    )
    verdict = taught().mend(packed)
    assert body(verdict) == request_body("copilot-chat", COPILOT)
    assert isinstance(verdict, Mend)
    headers = {name.lower(): value for name, value in verdict.request.headers}
    assert "content-encoding" not in headers
    assert headers["content-length"] == str(verdict.request.body.size)


def test_old_answers_make_room_for_new_ones() -> None:
    mender = Mender(most_bytes=1)
    teach(mender, "copilot-chat", COPILOT[:2], step=1)
    teach(mender, "copilot-chat", [user("Else"), copilot(GREP)], step=2)
    assert isinstance(mender.mend(request("copilot-chat", DROPPED)), Unmended)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
EXTRA = st.dictionaries(
    st.sampled_from(["temperature", "user", "metadata", "x"]),
    st.one_of(st.integers(), TEXTS, st.none(), st.lists(TEXTS, max_size=2)),
    max_size=3,
)


@given(EXTRA, TEXTS, st.sampled_from([None, 1, 2]), st.booleans())
def test_no_other_byte_is_changed(
    extra: dict[str, Json], said: str, indent: int | None, is_ascii: bool
) -> None:
    """Take away what was put in, and the client's bytes are left."""
    mender = Mender()
    question = user(f"What? {said}")
    teach(mender, "copilot-chat", [question, copilot(LS)])
    sent = [question, copilot(LS, opaque=None), result(LS)]
    made = {**request_body("copilot-chat", sent), **extra}
    data = json.dumps(made, indent=indent, ensure_ascii=is_ascii).encode()
    asked = replace(request("copilot-chat", sent), body=Body(data))
    verdict = mender.mend(asked)
    assert isinstance(verdict, Mend)
    mended = verdict.request.body.raw
    at = next(i for i, (a, b) in enumerate(zip(data, mended, strict=False)) if a != b)
    tail = len(data) - at
    assert mended[:at] == data[:at]
    assert mended[len(mended) - tail :] == data[at:]
    put = mended[at : len(mended) - tail]
    assert OPAQUE.encode() in put
    assert len(put) < len(OPAQUE) + 60


def test_signatures_of_both_are_never_exchanged() -> None:
    """The values of the tests are not one another's."""
    assert len({SIG, SIG_B, OPAQUE, OPAQUE_B}) == 4


BUNDLED = {
    "anthropic-thinking-dropped": ("ANT-2", "put back"),
    "copilot-missing-signature": ("CPC-1", "put back"),
    "deepseek-reasoning-dropped": ("DSK-2", "put back"),
    "gemini-openai-typed-client": ("GOC-1", "put back"),
    "responses-dropped-reasoning": ("RSP-2", "put back"),
    "responses-ids-without-blobs": ("RSP-4", "put back"),
    "zed-copilot-attempt-1": ("CPC-2", "moved"),
    "zed-openrouter-never-emitted": ("ORT-1", "put back"),
}
"""What the first refused request of a bundled session lacks."""


@pytest.mark.parametrize("name", BUNDLED)
def test_the_refused_request_of_a_bundled_session_is_mended_once(name: str) -> None:
    mender = Mender()
    session = open_session(str(SESSIONS / f"{name}.session.jsonl"))
    for step in session.steps:
        asked, answer = step.exchange.request, step.exchange.response
        assert asked is not None
        assert answer is not None
        verdict = mender.mend(asked)
        if (answer.status or 0) < 400:
            assert verdict == Unmended()
            mender.learn(asked, answer, step.number)
            continue
        assert {(rule, act) for rule, act, _ in told(verdict)} == {BUNDLED[name]}
        assert isinstance(verdict, Mend)
        assert mender.mend(verdict.request) == Unmended()
        return
    raise AssertionError("no step is refused")


def lost(count: int, dialect: str) -> tuple[Mender, Request]:
    """So many turns of one loop, and a request that has lost all their signatures."""
    mender = Mender()
    first = ask() if dialect == "gemini" else user()
    right, sent = [first], [first]
    for number in range(count):
        call = (f"call_{number:024d}", "read_file", {"path": f"{number}.md"})
        if dialect == "gemini":
            own = SIG[:-8] + f"{number:08d}"
            reply, bare = gemini(call, signature=own), gemini(call, signature=None)
            back = answers(call)
        else:
            own = OPAQUE[:-8] + f"{number:08d}"
            reply, bare = copilot(call, opaque=own), copilot(call, opaque=None)
            back = result(call)
        teach(mender, dialect, [*right, reply], step=number + 1)
        right += [reply, back]
        sent += [bare, back]
    return mender, request(dialect, sent)


def work(count: int, dialect: str) -> int:
    """Functions called for one request, of Python and of C: time that no other program
    on the machine adds to."""
    mender, asked = lost(count, dialect)
    mender.mend(asked)  # what is imported and made once
    calls = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        verdict = mender.mend(asked)
    finally:
        sys.setprofile(None)
    assert sum(count for _, _, count in told(verdict)) == count
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["copilot-chat", "gemini"])
def test_what_mending_costs_grows_with_what_is_mended_and_no_faster(
    dialect: str,
) -> None:
    """Four times as many lost signatures of one turn, four times the work."""
    assert work(240, dialect) < 4.4 * work(60, dialect)
