"""A pytest file: the recorded request is refused, the mended one is accepted.

It asks sigscope's strict simulator, which is told the signatures that the recorded
session had received, or a live service named by SIGSCOPE_LIVE_URL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal

from sigscope.edits.asjson import to_json
from sigscope.edits.records import Edit
from sigscope.export.keys import key_variable
from sigscope.export.python import bytes_source, comment
from sigscope.export.records import ScriptedRequest
from sigscope.records import dataclass
from sigscope.upstreams.simulator import Anchor


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """What a test file needs to know."""

    sent: ScriptedRequest
    """The request as recorded."""
    error: str | None
    """What the recorded answer says is wrong; None where the step was accepted."""
    simulator: Literal["agrees", "disagrees", "does not know"]
    """What the simulator says to the recorded request, beside the recorded answer."""
    simulator_error: str = ""
    """Its words, where it refuses."""
    edits: tuple[Edit, ...] = ()
    """The fix; empty where none is known."""
    basis: str = ""
    """Where the fix comes from, and who accepted it: "run 2, accepted by ..."."""
    surface: str | None = None
    genuine: Mapping[str, Anchor] = field(default_factory=dict)
    stored: Mapping[str, tuple[Sequence[object], Sequence[object]]] = field(
        default_factory=dict
    )
    """Answers that the service keeps: as `SimConfig.stored`."""


def regression_file(what: Regression) -> bytes:
    """The file. Its tests that only a live service can answer skip without one."""
    body = bytes_source(what.sent.request.body.raw)
    lines = [
        *_story(what),
        "from __future__ import annotations",
        "",
        *(["import base64", ""] if body.startswith("base64.") else []),
        *(["import pytest", ""] if what.simulator != "agrees" else []),
        f"from sigscope import {', '.join(_names(what))}",
        "",
        *_service(what),
        *_request(what, body),
        *_fix(what),
        "",
        *_tests(what),
    ]
    return "\n".join([*lines, ""]).encode("utf-8", "backslashreplace")


def _names(what: Regression) -> list[str]:
    names = ["Anchor"] if what.genuine else []
    names += ["Service", "ask"]
    if what.edits:
        names.append("edited")
    if what.simulator != "agrees" or what.error is not None:
        names.append("is_live")
    return [*names, "request"]


def _key(what: Regression) -> str:
    dialect = what.sent.reading.dialect
    name = dialect.name if dialect else None
    return key_variable(what.sent.request.url, name).name


def _story(what: Regression) -> Iterator[str]:
    sent = what.sent
    title = f' of "{sent.title}"' if sent.title else ""
    yield comment(f"Step {sent.step}{title}, as a regression test.")
    yield comment(f"Written by {sent.tool}. Run it with pytest, beside sigscope.")
    yield "#"
    yield "# sigscope's strict simulator answers. To ask the live service, which may"
    yield "# cost money, set SIGSCOPE_LIVE_URL to its address and the key:"
    url = sent.request.url.partition("?")[0] or f"https://HOST{sent.path}"
    yield comment(f"  SIGSCOPE_LIVE_URL={url} {_key(what)}=... pytest")
    if what.simulator == "disagrees":
        yield comment("The simulator does not answer the recorded request as recorded.")
    if what.simulator == "does not know":
        yield comment("The simulator does not know this service.")


def _service(what: Regression) -> Iterator[str]:
    dialect = what.sent.reading.dialect
    yield "SERVICE = Service("
    yield f"    dialect={dialect.name if dialect else ''!r},"
    if what.surface:
        yield f"    surface={what.surface!r},"
    if what.sent.path:
        yield f"    path={what.sent.path!r},"
    yield f"    key_env={_key(what)!r},"
    if what.genuine:
        yield "    genuine={"
        for value, anchor in what.genuine.items():
            yield f"        {value!r}: {_anchor(anchor)},"
        yield "    },"
    if what.stored:
        yield "    stored={"
        for name, (history, items) in what.stored.items():
            yield f"        {name!r}: ({list(history)!r}, {list(items)!r}),"
        yield "    },"
    yield ")"


def _anchor(anchor: Anchor) -> str:
    blank = Anchor()
    given = [
        f"{name}={getattr(anchor, name)!r}"
        for name in ("kind", "name", "call_id", "arguments", "text", "surface")
        if getattr(anchor, name) != getattr(blank, name)
    ]
    return f"Anchor({', '.join(given)})"


def _request(what: Regression, body: str) -> Iterator[str]:
    request = what.sent.request
    yield "RECORDED = request("
    yield f"    {request.method!r},"
    yield f"    {request.url!r},"
    yield "    ("
    for name, value in request.headers:
        yield f"        ({name!r}, {value!r}),"
    yield "    ),"
    yield f"    {body},"
    yield ")"


def _fix(what: Regression) -> Iterator[str]:
    if not what.edits:
        return
    yield comment(f"From {what.basis}.")
    yield "FIX = ["
    for edit in what.edits:
        yield f"    {to_json(edit)!r},"
    yield "]"


def _tests(what: Regression) -> Iterator[str]:
    only_live: list[str] = []
    if what.simulator != "agrees":
        reason = f"the simulator {what.simulator}; set SIGSCOPE_LIVE_URL"
        only_live = [f"@pytest.mark.skipif(not is_live(), reason={reason!r})"]
    yield ""
    yield from only_live
    if what.error is None:
        yield "def test_the_recorded_request_is_accepted() -> None:"
        yield "    answer = ask(RECORDED, SERVICE)"
        yield "    assert answer.is_accepted, (answer.status, answer.error)"
        return
    yield "def test_the_recorded_request_is_refused() -> None:"
    yield "    answer = ask(RECORDED, SERVICE)"
    yield "    assert answer.status is not None, answer.error"
    yield "    assert not answer.is_accepted"
    status = what.sent.reading.status
    if what.simulator == "agrees":
        yield "    if not is_live():"
        yield f"        assert answer.status == {status!r}"
        yield f"        assert answer.error == {what.simulator_error!r}"
    if what.edits:
        yield ""
        yield ""
        yield from only_live
        yield "def test_the_mended_request_is_accepted() -> None:"
        yield "    answer = ask(edited(RECORDED, FIX), SERVICE)"
        yield "    assert answer.is_accepted, (answer.status, answer.error)"
