"""What a test of a client gets: an upstream, and the question it came for."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.unit.testkit.loops import KNOWN, TOOLS, ask, loop

from sigscope.engine.harness.surroundings import dialects
from sigscope.errors import InputError, UsageError
from sigscope.rules.fingerprint import fingerprint_of
from sigscope.testkit.fixture import SignatureLost, UpstreamFactory
from sigscope.upstreams.simulator.services.registry import names

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("nursed")]
DIALECT = "copilot-chat"


@pytest.fixture
def upstreams(tmp_path: Path) -> Iterator[UpstreamFactory]:
    factory = UpstreamFactory(tmp_path, "tests/test_it.py::test_it")
    yield factory
    factory.close()


def test_every_dialect_that_can_be_simulated_has_one() -> None:
    assert set(dialects()) == set(names())


def test_a_client_that_keeps_all_passes(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    messages = loop(upstream.base_url, upstream.model, keeps=True)
    calls = [len(m.get("tool_calls") or ()) for m in messages if "tool_calls" in m]
    assert calls == [1, 2]
    upstream.assert_no_signature_lost()
    assert upstream.verdict().brought_back == 2
    assert upstream.session.exists()


def test_a_client_that_forgets_is_shown_finding_node_and_fix(
    upstreams: UpstreamFactory,
) -> None:
    upstream = upstreams(DIALECT)
    loop(upstream.base_url, upstream.model, keeps=False)
    with pytest.raises(SignatureLost) as caught:
        upstream.assert_no_signature_lost()
    said = str(caught.value)
    assert "error[CPC-1]" in said
    assert "step 2, request /messages/1" in said
    assert "^^^" in said
    assert "= fix: " in said
    assert f"session kept: {upstream.session}" in said
    assert "\x1b" not in said


def test_a_client_that_never_came_shows_nothing(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    with pytest.raises(SignatureLost, match="no request came") as caught:
        upstream.assert_no_signature_lost()
    assert f"its base URL has to be {upstream.base_url}" in str(caught.value)


def test_one_request_shows_nothing(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    ask(upstream.base_url, upstream.model, [{"role": "user", "content": "Hello"}])
    with pytest.raises(SignatureLost, match="only a second request"):
        upstream.assert_no_signature_lost()
    upstream.assert_no_signature_lost(at_least=0)


def test_a_wrong_address_is_no_pass(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    base_url = upstream.base_url + "/nowhere/at"
    # A pinned service is known by the end of the path: only this one is wrong.
    status, _ = ask(base_url + "/chat/nothing?", upstream.model, [])
    assert status == 404
    with pytest.raises(SignatureLost, match="404"):
        upstream.assert_no_signature_lost(at_least=0)


def test_what_is_ignored_does_not_count_and_is_counted(
    upstreams: UpstreamFactory,
) -> None:
    upstream = upstreams(DIALECT)
    loop(upstream.base_url, upstream.model, keeps=False)
    verdict = upstream.verdict(at_least=0, ignore=["CPC-1"])
    assert verdict.is_fine
    assert [finding.rule for finding in verdict.left_out] == ["CPC-1"]


def test_turns_are_as_asked_for(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT, turns=["parallel", "long"])
    messages = loop(upstream.base_url, upstream.model, keeps=True, question="Hello")
    assert [len(m.get("tool_calls") or ()) for m in messages[1::3]] == [2, 0]
    assert len(messages[-1]["content"]) > 2000


def test_a_turn_that_is_none_is_refused(upstreams: UpstreamFactory) -> None:
    with pytest.raises(UsageError, match="calls, parallel, text, long"):
        upstreams(DIALECT, turns=["sing"])


def test_a_dialect_that_is_none_is_refused(upstreams: UpstreamFactory) -> None:
    with pytest.raises(UsageError, match="not one of copilot-chat"):
        upstreams("morse")


def test_two_of_a_dialect_have_files_of_their_own(upstreams: UpstreamFactory) -> None:
    assert upstreams(DIALECT).session != upstreams(DIALECT).session


def test_its_variables_name_it(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    told = upstream.environment
    assert told["SIGSCOPE_BASE_URL"] == upstream.base_url
    assert told["OPENAI_BASE_URL"] == upstream.base_url
    assert told["OPENAI_API_KEY"] == upstream.key


def test_a_fault_is_known_again_in_another_recording(
    upstreams: UpstreamFactory,
) -> None:
    """Ids, signatures and times are others; the fault is the same."""
    prints, ids = set(), set()
    for seed in ("one", "another"):
        upstream = upstreams(DIALECT, seed=seed)
        messages = loop(upstream.base_url, upstream.model, keeps=False)
        ids.add(messages[1]["tool_calls"][0]["id"])
        verdict = upstream.verdict()
        (finding,) = verdict.against
        prints.add(fingerprint_of(finding, verdict.document.reading(finding.step)))
    assert (len(ids), len(prints)) == (2, 1)


def test_what_is_not_whole_in_the_file_is_not_judged(
    upstreams: UpstreamFactory,
) -> None:
    upstream = upstreams(DIALECT)
    loop(upstream.base_url, upstream.model, keeps=True)
    upstream._served.problems.append("the disk is full")
    with pytest.raises(InputError, match="the disk is full"):
        upstream.assert_no_signature_lost()


def test_it_can_be_asked_when_it_is_closed(upstreams: UpstreamFactory) -> None:
    upstream = upstreams(DIALECT)
    loop(upstream.base_url, upstream.model, keeps=True)
    upstream.close()
    upstream.assert_no_signature_lost(at_least=2)


def test_a_client_that_hangs_up_on_a_refusal_is_told_the_cause(
    upstreams: UpstreamFactory,
) -> None:
    """urllib raises at the status: the words of the refusal never pass."""
    upstream = upstreams(DIALECT)
    question = {"role": "user", "content": "Look at my notes"}
    _, answer = ask(upstream.base_url, upstream.model, [question])
    message = answer["choices"][0]["message"]
    known = {key: message[key] for key in KNOWN if key in message}
    call = message["tool_calls"][0]["id"]
    result = {"role": "tool", "tool_call_id": call, "content": "Milk."}
    body = {"model": upstream.model, "messages": [question, known, result]}
    data = json.dumps({**body, "tools": TOOLS}).encode()
    where = urlsplit(upstream.base_url)
    head = (
        f"POST {where.path}/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    with socket.create_connection((where.hostname or "", where.port or 0)) as client:
        client.sendall(head.encode() + data)
        assert client.recv(12) == b"HTTP/1.1 400"
        # Closed at once, without a goodbye (socket(7), SO_LINGER).
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with pytest.raises(SignatureLost) as caught:
        upstream.assert_no_signature_lost()
    said = str(caught.value)
    assert "reasoning_opaque" in said
    assert "[CPC-1]" in said
    assert "= fix: restore reasoning_opaque" in said
