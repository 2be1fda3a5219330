"""Mistakes that are the same in every dialect: to the text, the anchor, the message."""

from __future__ import annotations

from sigscope.edits.records import Edit
from sigscope.readymade import values
from sigscope.readymade.chat import merge_messages, split_messages
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put
from sigscope.readymade.gemini_contents import merge_contents, split_contents
from sigscope.readymade.gemini_signatures import move_to_sibling as move_on_parts
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Kind, Make, Ready
from sigscope.readymade.shaping import CALL_PATH, clear, counting, on_each
from sigscope.readymade.values import recoded, replaced, respell

EVERY = ("copilot-chat", "openrouter", "litellm", "gemini")


def _move_to_sibling(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The signature of the first of parallel calls on the second."""
    calls = bearer.message.calls
    if len(calls) < 2:
        return
    if context.dialect == "gemini":
        move_on_parts(draft, context, bearer)
    elif context.dialect == "litellm":
        held = counting(bearer)[0]
        clear(draft, context, bearer)
        put(draft.at(bearer.index, calls[1].pointer), CALL_PATH, held.value)
    elif context.dialect == "openrouter":
        entries = draft.message(bearer.index).get("reasoning_details")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and entry.get("id") == calls[0].call_id:
                entry["id"] = calls[1].call_id


def swap(context: Context) -> tuple[Edit, ...] | None:
    """The signatures of the last two messages that have some, exchanged."""
    draft = Draft(context)
    owners = [bearer.held[-1] for bearer in context.bearers][-2:]
    if len(owners) < 2 or owners[0].value == owners[1].value:
        return None
    one, other = owners
    done = respell(draft, context, one, lambda _: other.value)
    done = respell(draft, context, other, lambda _: one.value) and done
    return draft.edits() if done else None


def split(context: Context) -> tuple[Edit, ...] | None:
    """One reply becomes two messages, its calls apart from its signature."""
    if context.dialect == "gemini":
        return split_contents(context)
    return split_messages(context)


def merge(context: Context) -> tuple[Edit, ...] | None:
    """What was split is one again."""
    if context.dialect == "gemini":
        return merge_contents(context)
    return merge_messages(context)


_TABLE: tuple[tuple[str, str, Kind, str, Make], ...] = (
    (
        "cut",
        "every signature cut to a length that no base64 has",
        "mistake",
        "dialects.md 0.4, 1(d) GEM-6",
        on_each(recoded(values.cut)),
    ),
    (
        "cut-with-ellipsis",
        "every signature cut, with an ellipsis behind it",
        "mistake",
        "dialects.md 0.4, 11.28",
        on_each(recoded(values.cut_with_ellipsis)),
    ),
    (
        "other-alphabet",
        "the other base64 alphabet (harmless on Google's own API)",
        "variant",
        "dialects.md 1(c), 11.45",
        on_each(recoded(values.other_alphabet)),
    ),
    (
        "no-padding",
        "base64 without its `=` (harmless on Google's own API)",
        "variant",
        "dialects.md 0.4 recoded, 9",
        on_each(recoded(values.without_padding)),
    ),
    (
        "double-base64",
        "base64 put around the signature once more",
        "mistake",
        "dialects.md 0.4 recoded, 1(d) GEM-6",
        on_each(recoded(values.double_base64)),
    ),
    (
        "raw-bytes",
        "decoded once too often: raw bytes as characters",
        "mistake",
        "dialects.md 1(d) GEM-6, 11.47, 11.48",
        on_each(recoded(values.raw_bytes)),
    ),
    (
        "quoted-twice",
        "quotes written into the signature",
        "mistake",
        "dialects.md 1(d) GEM-6",
        on_each(recoded(values.quoted_twice)),
    ),
    (
        "altered",
        "one character of every signature is another",
        "mistake",
        "dialects.md 0.4 altered",
        on_each(recoded(values.altered)),
    ),
    (
        "foreign",
        "made-up signatures that only look like the issuer's",
        "mistake",
        "dialects.md 0.4 invented, 1(d) GEM-14",
        on_each(recoded(values.foreign)),
    ),
    (
        "swap",
        "the signatures of the last two messages exchanged",
        "mistake",
        "dialects.md 0.4 moved",
        swap,
    ),
    (
        "move-to-sibling",
        "the signature of the first of parallel calls on the second",
        "mistake",
        "dialects.md 1(d) GEM-11, 6(c)",
        on_each(_move_to_sibling),
    ),
    (
        "split",
        "one reply in two messages, calls apart from their signature",
        "mistake",
        "dialects.md 1(d) GEM-8, 4(c)",
        split,
    ),
    (
        "merge",
        "messages that belong to one reply are one again",
        "cure",
        "dialects.md 1(c), 4(c); seed 001",
        merge,
    ),
    (
        "bypass-raw",
        "the stand-in, as it is written; reasoning is lost",
        "cure",
        "dialects.md 1(f); for Copilot none is known: 4(f)",
        on_each(replaced(values.BYPASS)),
    ),
    (
        "bypass-base64",
        "the stand-in in base64; contested on Vertex",
        "cure",
        "dialects.md 1(f), 12.8",
        on_each(replaced(values.bypass_base64(""))),
    ),
    (
        "bypass-second",
        "the second stand-in, which Vertex does not know",
        "cure",
        "dialects.md 1(f), 11.44",
        on_each(replaced(values.SECOND_BYPASS)),
    ),
    (
        "bypass-mistyped",
        "the second stand-in with a blank for an underscore, as it circulates",
        "mistake",
        "dialects.md 1(f)",
        on_each(replaced(values.MISTYPED_BYPASS)),
    ),
)

GENERIC: tuple[Ready, ...] = tuple(
    Ready(
        name=name,
        title=title,
        dialects=EVERY,
        kind=kind,
        source=source,
        make=make,
    )
    for name, title, kind, source, make in _TABLE
)
