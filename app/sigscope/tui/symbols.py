"""The glyphs of the screens, in two sets: common terminal fonts, and plain ASCII."""

from __future__ import annotations

from sigscope.ledger import Fate
from sigscope.records import dataclass
from sigscope.rules.findings import Severity
from sigscope.runs import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols:
    """One set; every entry is one cell wide unless it says otherwise."""

    signature: str
    ghost: str
    """A signature that should stand here and does not."""
    exact: str
    moved: str
    altered: str
    cut: str
    dropped: str
    bypass: str
    earlier: str
    foreign: str
    duplicated: str
    stored: str
    nothing: str
    """Not required, not known, no value."""
    good: str
    bad: str
    warn: str
    info: str
    folded: str
    unfolded: str
    call: str
    result: str
    dot: str
    """Between figures."""
    arrow: str
    """Of two cells in ASCII: one is "is more than", or what is folded."""
    bar: str
    """Beside the row under the cursor."""
    rule: str
    """Drawn across to separate."""
    thread: str
    """Before a step of a side request or a fork."""
    child: str
    """Before a run made from another run."""
    thought_fill: str
    text_fill: str
    call_fill: str
    other_fill: str
    axis: str
    ellipsis: str
    gap: str
    """Rows that are left out."""
    line_end: str
    """A line feed."""
    box_on: str
    box_off: str
    box_changed: str
    """The box of a field that an edit gives another value."""
    play_head: str
    """The play head, below a bar."""
    head_line: str
    """The play head, across the lanes."""
    first_byte: str
    """The head of a response, in the wait for its first event."""
    finish: str
    usage: str
    silence: str
    """Nothing came for a while."""
    whole: str
    """An answer that came in one piece."""
    stop: str
    """A breakpoint."""
    added: str
    changed: str
    extended: str
    unjudged: str
    """Nothing is said of it: the dialect is not known, or no answer is."""
    untouched: str
    """No signature concerns it."""
    fading: str
    """Reasoning begins to fade, or ends."""
    stream_error: str
    """An error inside of an answer, or its early end."""
    play: str
    pause: str
    text_end: str
    """The end of a text that is still growing."""
    spinner: str
    """Frames of a moving sign, one cell each."""
    ascii: bool = False


UNICODE = Symbols(
    signature="◆",
    ghost="◇",
    exact="✓",
    moved="↔",
    altered="≠",
    cut="◐",
    dropped="✗",
    bypass="○",
    earlier="«",
    foreign="∉",
    duplicated="‡",
    stored="≡",
    nothing="–",
    good="✓",
    bad="✗",
    warn="!",
    info="i",
    folded="▸",
    unfolded="▾",
    call="⚒",
    result="↳",
    dot="·",
    arrow="→",
    bar="▌",
    rule="─",
    thread="╶",
    child="└",
    thought_fill="▒",
    text_fill="█",
    call_fill="▓",
    other_fill="░",
    axis="┊",
    ellipsis="…",
    gap="┄",
    line_end="↵",
    box_on="☑",
    box_off="☐",
    box_changed="◩",
    play_head="▲",
    head_line="│",
    first_byte="┬",
    finish="■",
    usage="Σ",
    silence="╌",
    whole="▬",
    stop="●",
    added="+",
    changed="~",
    extended="›",
    unjudged="?",
    untouched="·",
    fading="▽",
    stream_error="⊗",
    play="▶",
    pause="‖",
    text_end="▏",
    spinner="⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏",
)

ASCII = Symbols(
    signature="*",
    ghost="o",
    exact="=",
    moved="m",
    altered="#",
    cut="<",
    dropped="X",
    bypass="&",
    earlier="^",
    foreign="?",
    duplicated="2",
    stored="@",
    nothing="-",
    good="+",
    bad="X",
    warn="!",
    info="i",
    folded=">",
    unfolded="v",
    call="@",
    result="`",
    dot="-",
    arrow="->",
    bar="|",
    rule="-",
    thread="-",
    child="`",
    thought_fill=":",
    text_fill="#",
    call_fill="%",
    other_fill=".",
    axis="|",
    ellipsis="~",
    gap="-",
    line_end="$",
    box_on="x",
    box_off="-",
    box_changed="%",
    play_head="^",
    head_line="|",
    first_byte="+",
    finish="]",
    usage="S",
    silence="_",
    whole="=",
    stop="B",
    added="+",
    changed="~",
    extended=">",
    unjudged="u",
    untouched=".",
    fading="v",
    stream_error="E",
    play=">",
    pause="=",
    text_end="|",
    spinner="|/-\\",
    ascii=True,
)


def fate_glyph(symbols: Symbols, fate: Fate) -> str:
    name = "signature" if fate is Fate.RECEIVED else str(fate)
    return str(getattr(symbols, name))


def severity_glyph(symbols: Symbols, severity: Severity) -> str:
    """The glyph of a finding."""
    names = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}
    return str(getattr(symbols, names[severity]))


def verdict_glyph(symbols: Symbols, verdict: Verdict, *, failed: bool) -> str:
    """The glyph of a verdict; `failed`: whether the recorded step was refused."""
    return {
        Verdict.GONE: symbols.good,
        Verdict.REPRODUCED: symbols.bad if failed else symbols.good,
        Verdict.DIFFERENT: symbols.altered,
        Verdict.UNCLEAR: "?",
    }[verdict]
