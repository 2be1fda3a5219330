"""What the recorder's line says."""

from __future__ import annotations

from sigscope.engine.recording.host import HostState
from sigscope.engine.recording.launch import LaunchedClient
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, fit, sides, width
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols


def lay_recorder(state: HostState, cells: int, symbols: Symbols) -> Line:
    """ "recording 127.0.0.1:8910 → api.example · 12 requests, 1 open · 1 held" """
    dot = Span(f" {symbols.dot} ", "dim")
    address = state.url.removeprefix("http://")
    left: list[Span] = [
        _begins(state),
        Span(address, "bold", "address"),
        Span(f" {symbols.arrow} ", "dim"),
        Span(_upstreams(state), ""),
    ]
    right: list[Span] = list(_counts(state, dot))
    if state.client is not None:
        right += [dot, *_client(state.client)]
    right += [dot, *_holding(state)]
    if width(left) + width(right) + 2 > cells:
        left = left[:2]
    if width(left) + width(right) + 2 > cells:
        return fit((*right,), cells)
    return sides(tuple(left), tuple(right), cells)


def invitation(state: HostState) -> str:
    """What is waited for before the first request, and where it is to go."""
    if state.client is not None:
        return f"waiting for the first request of {one_line(state.client.name)}"
    paths = [text.partition("→")[0].strip().rstrip("/") for text in state.upstreams]
    places = " or ".join(f"{state.url}{path}" for path in paths) or state.url
    return (
        f"waiting for the first request: give {places} to the client as its base URL,"
        " with the path it expects behind it, such as /v1"
    )


def _begins(state: HostState) -> Span:
    if state.has_ended:
        return Span("recorder has ended ", "bad bold")
    return Span("recording ", "accent bold")


def _upstreams(state: HostState) -> str:
    names = [text.rpartition("→")[2].strip() for text in state.upstreams]
    if len(names) > 2:
        return f"{len(names)} upstreams"
    return one_line(", ".join(names).replace("https://", ""), 48)


def _counts(state: HostState, dot: Span) -> tuple[Span, ...]:
    counts = [figures.count(state.begun, "request")]
    if state.open > len(state.held):
        counts.append(f"{state.open - len(state.held)} under way")
    spans = [Span(", ".join(counts), "")]
    if state.held:
        spans += [dot, Span(f"{len(state.held)} held", "warn bold", "held")]
    return tuple(spans)


def _client(client: LaunchedClient) -> tuple[Span, ...]:
    if client.code is None:
        return (Span(f"{client.name} runs", "", "client"),)
    ink = "good" if client.code == 0 else "bad"
    return (Span(f"{client.name} ended: {client.code}", ink, "client"),)


def _holding(state: HostState) -> tuple[Span, ...]:
    if state.hold_all:
        return (Span("all are held", "warn bold"),)
    if state.hold_next:
        return (Span("the next is held", "warn bold"),)
    if state.breakpoints:
        return (Span(f"break at {', '.join(state.breakpoints)}", ""),)
    return (Span("the next goes through", "dim"),)
