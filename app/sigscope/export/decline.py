"""A degradation report: as text, as a JSON document, as one HTML page with its plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sigscope.export.elements import Child, Html, document, joined, table, tag
from sigscope.export.figures import count
from sigscope.export.style import CSS
from sigscope.timeline.decline import Decline, TurnFigures

_WIDTH, _LEFT, _RIGHT = 400, 40, 8
"""Of the plot, in pixels of the narrowest window that it is made for."""
_TOP, _BOTTOM, _HEIGHT = 24, 170, 216
_MOST_TICKS = 12
_PLOT_CSS = """
body { max-width: 46rem; }
.line { fill: none; stroke-width: 2; }
.line.thought { stroke: var(--thought); } .line.text { stroke: var(--text); }
.dot.thought { fill: var(--thought); } .dot.text { fill: var(--text); }
.change { stroke: var(--bad); stroke-dasharray: 4 3; } .told { fill: var(--bad); }
.sent { text-anchor: middle; } .sent.good { fill: var(--good); }
.sent.bad { fill: var(--bad); } .sent.warn { fill: var(--call); }
td, th { white-space: nowrap; padding-right: .5rem; font-size: .8rem; }
"""
HEAD = ("turn", "steps", "reasoning", "answer", "tokens", "back", "bypasses", "lost")


def told(decline: Decline) -> str:
    """The first sentence: whether it fades, from where on, from what to what."""
    found = decline.fading
    less = decline.lessening
    if found is None and less is not None:
        return (
            "whether readable reasoning fades cannot be told: it is less in step"
            f" {less.last.step} ({less.last.part:.0%} of what was said) than in step"
            f" {less.first.step} ({less.first.part:.0%}), but not as where signatures"
            f" are lost: {less.unlike}"
        )
    if not decline.is_known:
        return (
            "whether readable reasoning fades cannot be told: that takes three answers"
            " of one kind, the first with readable reasoning"
        )
    if found is None:
        if decline.compared < decline.answers:
            return (
                f"readable reasoning does not fade in the {decline.compared} of"
                f" {count(decline.answers, 'answer')} that can be compared"
            )
        return "readable reasoning does not fade in this recording"
    first, change, last = found.first, found.change, found.last
    after = ""
    if change.step != last.step:
        after = f", {last.part:.0%} in step {last.step}"
    return (
        f"readable reasoning fades from turn {decline.turn} (step {change.step}) on:"
        f" {first.part:.0%} of what step {first.step} said, {change.part:.0%}"
        f" here{after}; visible text grew from {first.text:,} to {last.text:,}"
        " characters"
    )


def why(decline: Decline) -> str:
    """The cause, how sure it is, and in numbers what speaks for it; "" for none."""
    if decline.cause is None:
        return ""
    words = f"{decline.sureness}: {decline.cause}"
    if decline.lost:
        words += f" ({decline.lost} of {count(decline.received, 'signature')} by then)"
    return words


def rows(decline: Decline) -> Iterator[tuple[str, ...]]:
    """A row for each turn, under `HEAD`."""
    for turn in decline.turns:
        figures = turn.figures
        tokens = figures.reasoning_tokens
        yield (
            str(figures.turn),
            _steps(figures.steps),
            f"{figures.thought_chars:,}",
            f"{figures.text_chars:,}",
            "–" if tokens is None else f"{tokens:,}",
            str(turn.genuine),
            str(turn.stand_ins),
            str(turn.missing),
        )


def decline_table(decline: Decline) -> dict[str, Any]:
    """The report as JSON."""
    found = decline.fading
    change = None
    if found is not None:
        change = {
            "turn": decline.turn,
            "step": found.change.step,
            "share_before": round(found.first.part, 4),
            "share": round(found.change.part, 4),
            "share_last": round(found.last.part, 4),
        }
    return {
        "format": 1,
        "fades": found is not None if decline.is_known else None,
        "told": told(decline),
        "compared": decline.compared,
        "answers": decline.answers,
        "change": change,
        "cause": str(decline.cause) if decline.cause else None,
        "confidence": str(decline.sureness) if decline.cause else None,
        "lost": decline.lost,
        "received": decline.received,
        "advice": list(decline.advice),
        "turns": [_turn(turn) for turn in decline.turns],
    }


def _turn(turn: TurnFigures) -> dict[str, Any]:
    figures = turn.figures
    return {
        "thread": figures.thread,
        "turn": figures.turn,
        "steps": list(figures.steps),
        "reasoning_chars": figures.thought_chars,
        "answer_chars": figures.text_chars,
        "reasoning_tokens": figures.reasoning_tokens,
        "signatures": {
            "genuine": turn.genuine,
            "bypass": turn.stand_ins,
            "missing": turn.missing,
        },
        "refused": figures.refused,
        "not_judged": figures.unjudged,
    }


# --- The page -------------------------------------------------------------------------


def decline_page(decline: Decline, title: str, tool: str) -> bytes:
    """One HTML file that loads nothing."""
    return document(title, tool, CSS + _PLOT_CSS, _body(decline, title))


def _body(decline: Decline, title: str) -> Iterator[Child]:
    yield tag("h1", title)
    first = told(decline)
    yield tag("p", f"{first[0].upper()}{first[1:]}.", class_="short")
    cause = why(decline)
    if cause:
        yield tag("p", tag("b", "Cause, "), f"{cause}.")
        yield tag("p", tag("b", "What to change"))
        yield tag("ul", [tag("li", line) for line in decline.advice])
    if decline.turns:
        yield tag("h2", "Turn by turn")
        yield plot(decline)
        yield _legend()
        yield table(HEAD, rows(decline))
    yield tag("p", "Reasoning and answer are characters.", class_="faint")


def plot(decline: Decline) -> Html:
    """Characters of readable reasoning and of answers per turn, and what went back."""
    turns = decline.turns
    most = max((max(_figures(turn)) for turn in turns), default=0) or 1
    every = -(-len(turns) // _MOST_TICKS)
    drawn: list[Child] = [*_axis(most)]
    drawn += [
        piece
        for at, turn in enumerate(turns)
        for piece in _column(turn, _x(at, len(turns)), is_named=at % every == 0)
    ]
    changed = [at for at, turn in enumerate(turns) if turn.figures.turn == decline.turn]
    if decline.fading and changed:
        x = _x(changed[0], len(turns))
        drawn.append(
            tag("line", x1=_n(x), x2=_n(x), y1="14", y2=str(_BOTTOM), class_="change")
        )
        anchor = "end" if x > _WIDTH / 2 else "start"
        drawn.append(
            tag("text", "fades", x=_n(x), y="11", class_="told", text_anchor=anchor)
        )
    for place, kind in enumerate(("thought", "text")):
        values = [_figures(turn)[place] for turn in turns]
        drawn += _line(values, most, kind)
    return tag(
        "svg",
        drawn,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label="Readable reasoning and answers, turn by turn",
    )


def _figures(turn: TurnFigures) -> tuple[int, int]:
    return turn.figures.thought_chars, turn.figures.text_chars


def _axis(most: int) -> Iterator[Html]:
    for value in (0, most // 2, most):
        y = _n(_y(value, most))
        yield tag("line", x1=str(_LEFT), x2=str(_WIDTH), y1=y, y2=y, class_="grid")
        yield tag("text", f"{value:,}", x="2", y=y, class_="lane")


def _column(turn: TurnFigures, x: float, *, is_named: bool) -> Iterator[Html]:
    """A turn's number, and the worst that befell a signature in it."""
    if is_named:
        yield tag(
            "text", str(turn.figures.turn), x=_n(x), y=str(_BOTTOM + 16), class_="tick"
        )
    sign, kind, words = _sent(turn)
    title = tag("title", f"turn {turn.figures.turn}: {words}")
    if sign:
        yield tag(
            "text",
            sign,
            title,
            x=_n(x),
            y=str(_BOTTOM + 36),
            class_=f"sent {kind}",
        )


def _sent(turn: TurnFigures) -> tuple[str, str, str]:
    words = (
        f"{turn.genuine} back as received, {turn.stand_ins} bypasses,"
        f" {turn.missing} lost"
    )
    if turn.missing:
        return "×", "bad", words
    if turn.stand_ins:
        return "~", "warn", words
    return ("✓", "good", words) if turn.genuine else ("", "", words)


def _line(values: Sequence[int], most: int, kind: str) -> Iterator[Html]:
    places = [(_x(at, len(values)), _y(value, most)) for at, value in enumerate(values)]
    path = "L".join(f"{_n(x)} {_n(y)}" for x, y in places)
    if path:
        yield tag("path", d=f"M{path}", class_=f"line {kind}")
    for x, y in places:
        yield tag("circle", cx=_n(x), cy=_n(y), r="2.5", class_=f"dot {kind}")


def _legend() -> Html:
    return tag(
        "p",
        joined(tag("span", "", class_="key seg-thought"), " readable reasoning "),
        joined(tag("span", "", class_="key seg-text"), " answer. "),
        "Below each turn: ✓ all signatures back as received, ~ a bypass, × one lost.",
        class_="legend",
    )


def _x(at: int, size: int) -> float:
    room = _WIDTH - _LEFT - _RIGHT - 16
    return _LEFT + 8 + (room * at / (size - 1) if size > 1 else room / 2)


def _y(value: int, most: int) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * value / most


def _steps(steps: Sequence[int]) -> str:
    if len(steps) > 1 and steps[-1] - steps[0] == len(steps) - 1:
        return f"{steps[0]}–{steps[-1]}"
    return ", ".join(map(str, steps))


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
