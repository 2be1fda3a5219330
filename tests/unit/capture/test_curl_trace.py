"""What curl tells of a transfer; the files in tests/real are its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.importer import import_path
from tests.real.talk import SIGNATURE, TALK, Call

from sigscope.capture.base import Imported
from sigscope.capture.curl_trace import response_of
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.reader import Reading

REAL = Path(__file__).parents[2] / "real"
POSTS: list[Call] = [call for call in TALK if call.sent]
FILES = ("curl-trace.txt", "curl-trace-ascii.txt", "curl-verbose.txt")


def imported(name: str) -> Imported:
    found, made = import_path(REAL / name)
    assert found == "curl-trace"
    assert made.problems == ()
    return made


def received(made: Imported) -> list[bytes]:
    return [Reading(each).response_body.data for each in made.exchanges]


@pytest.mark.parametrize("name", FILES)
def test_every_transfer_is_an_exchange_with_status_and_url(name: str) -> None:
    exchanges = imported(name).exchanges
    assert [e.response and e.response.status for e in exchanges] == [200, 200, 400]
    for exchange in exchanges:
        assert exchange.request is not None
        assert exchange.request.url == "http://127.0.0.1:8765/chat/completions"
        assert exchange.request.method == "POST"


def test_a_trace_gives_every_byte_of_both_sides() -> None:
    made = imported("curl-trace.txt")
    sent = [each.request.body.raw for each in made.exchanges if each.request]
    assert sent == [call.sent for call in POSTS]
    assert received(made) == [call.received for call in POSTS]


def test_an_ascii_trace_gives_signatures_and_says_what_is_lost() -> None:
    made = imported("curl-trace-ascii.txt")
    first = made.exchanges[0]
    assert SIGNATURE.encode() in received(made)[0]
    assert any("they are lost" in remark for remark in first.remarks)
    document = Document(open_file(REAL / "curl-trace-ascii.txt"))
    assert "is compressed" in made.exchanges[1].remarks[-1]
    assert received(made)[1] == b""
    assert SIGNATURE in [each.value for each in document.ledger.signatures]
    (found,) = [f for f in document.findings if f.severity == "error"]
    assert (found.step, found.rule) == (3, "CPC-1")


def test_verbose_output_gives_heads_and_answers_and_says_what_is_missing() -> None:
    made = imported("curl-verbose.txt")
    assert received(made) == [call.received for call in POSTS]
    for exchange in made.exchanges:
        assert exchange.remarks == (
            "request: curl -v does not print the body that it sends; --trace does",
        )


def test_an_answer_that_ends_without_a_line_end_is_parted_from_what_curl_says() -> None:
    told = (
        "> POST /x HTTP/2\n> host: h\n>\n< HTTP/2 400\n< content-type: application/json"
        '\n<\n{"error":1}* Connection #0 to host h left intact\n'
    )
    response = response_of(told)
    assert response is not None
    assert (response.status, response.body.raw) == (400, b'{"error":1}')
    assert response_of("all done\n") is None


def test_a_command_and_what_v_tells_after_it_are_one_exchange(tmp_path: Path) -> None:
    path = tmp_path / "pasted.txt"
    told = (REAL / "curl-verbose.txt").read_text()
    path.write_text(f"$ curl -v http://127.0.0.1:8765/x -d '{{}}'\n{told}")
    name, made = import_path(path)
    assert name == "curl"
    (exchange,) = made.exchanges
    assert exchange.request is not None
    assert exchange.request.body.raw == b"{}"
    assert exchange.response is not None
    assert exchange.response.status == 400


@pytest.mark.parametrize("name", FILES)
def test_every_cut_is_read_or_refused_with_a_message(name: str, tmp_path: Path) -> None:
    whole = (REAL / name).read_bytes()
    path = tmp_path / "cut.txt"
    for end in range(1, len(whole), 97):
        path.write_bytes(whole[:end])
        try:
            import_path(path, "curl-trace")
        except InputError:
            assert end < 700  # before the end of the first start line


def test_a_torn_block_is_told(tmp_path: Path) -> None:
    whole = (REAL / "curl-trace.txt").read_bytes()
    path = tmp_path / "cut.txt"
    cut = whole.index(b"=> Send data") + 200
    path.write_bytes(whole[:cut])
    _, made = import_path(path)
    assert "of 261 bytes are there" in made.problems[0].message
    (exchange,) = made.exchanges
    assert exchange.request is not None
    assert POSTS[0].sent.startswith(exchange.request.body.raw)
    assert len(exchange.request.body.raw) > 30


def test_prose_with_quotes_and_lists_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("* one\n> quoted\n* two\n")
    with pytest.raises(InputError, match="begins '\\* one'"):
        import_path(path)
