"""Gemini's own API: what dialects.md 1(c), 1(d), 1(e), 1(f) and 11 tell."""

from __future__ import annotations

from sigscope.conversation import PartKind
from sigscope.readymade.chat import restore
from sigscope.readymade.gemini_contents import (
    interleave,
    merge_contents,
    merge_texts,
    shorten_thoughts,
    split_contents,
    without_parts,
)
from sigscope.readymade.gemini_signatures import (
    bypass_on_siblings,
    first_part,
    in_snake_case,
    inside_call,
    inside_response,
    last_on_first_call,
    move_to_sibling,
    moved,
    next_call,
    next_part,
    on_siblings,
    own_part,
    response_part,
)
from sigscope.readymade.records import Kind, Make, Ready
from sigscope.readymade.shaping import clear, on_each

_TABLE: tuple[tuple[str, str, Kind, str, Make], ...] = (
    (
        "restore",
        "each signature on the very part it came on, wrong copies gone",
        "cure",
        "dialects.md 1(c) [docs]",
        restore,
    ),
    (
        "drop",
        "no signature is sent back",
        "mistake",
        "dialects.md 1(d) GEM-1, GEM-2",
        on_each(clear),
    ),
    (
        "in-function-call",
        "signature inside `functionCall` instead of beside it",
        "mistake",
        "dialects.md 1(d) GEM-13, 1(e)",
        on_each(moved(inside_call)),
    ),
    (
        "in-function-response",
        "signature inside the `functionResponse` of its call",
        "mistake",
        "dialects.md 1(d) GEM-13, 1(e)",
        on_each(moved(inside_response)),
    ),
    (
        "on-response-part",
        "signature on the part of the result",
        "mistake",
        "dialects.md 1(d) GEM-13",
        on_each(moved(response_part)),
    ),
    (
        "extra-content",
        "signature as the compatible endpoint has it, in `extra_content` of the part",
        "mistake",
        "dialects.md 1(e): CLIProxyAPI",
        on_each(moved(own_part, "extra_content/google/thought_signature")),
    ),
    (
        "on-first-part",
        "signature on part 0, which is not its own",
        "mistake",
        "dialects.md 1(e): Roo-Code",
        on_each(moved(first_part)),
    ),
    (
        "on-next-part",
        "signature on the part behind its own",
        "mistake",
        "dialects.md 1(e), 0.4 moved",
        on_each(moved(next_part)),
    ),
    (
        "on-second-call",
        "of parallel calls the second is signed instead of the first",
        "mistake",
        "dialects.md 1(d) GEM-11",
        on_each(move_to_sibling),
    ),
    (
        "pending-on-next-call",
        "signature of a text glued to the next call",
        "mistake",
        "dialects.md 1(e), 11.13: VS Code's Gemini provider",
        on_each(moved(next_call)),
    ),
    (
        "last-on-first-call",
        "one variable for the last signature: it goes on the first call or part 0",
        "mistake",
        "dialects.md 1(e), 11.14: Roo-Code",
        on_each(last_on_first_call),
    ),
    (
        "copied-on-siblings",
        "the same signature on every parallel call",
        "mistake",
        "dialects.md 1(d) GEM-12: adk-js #268",
        on_each(on_siblings),
    ),
    (
        "bypass-on-siblings",
        "the stand-in on every unsigned parallel call",
        "mistake",
        "dialects.md 1(f), 11.12: trpc-agent-go",
        on_each(bypass_on_siblings),
    ),
    (
        "interleaved-results",
        "each parallel call followed by its own result",
        "mistake",
        "dialects.md 1(d) GEM-7, 11.10",
        interleave,
    ),
    (
        "split-contents",
        "parallel calls of one step in contents of their own",
        "mistake",
        "dialects.md 1(d) GEM-8, 11.11",
        split_contents,
    ),
    (
        "merge-contents",
        "neighbouring contents of the model are one again",
        "cure",
        "dialects.md 1(c) [docs]",
        merge_contents,
    ),
    (
        "merged-parts",
        "neighbouring text parts joined, signed or not",
        "mistake",
        "dialects.md 1(c) [docs]",
        on_each(merge_texts),
    ),
    (
        "empty-part-dropped",
        "empty text parts left out, with the signatures on them",
        "mistake",
        "dialects.md 1(c), 11.25",
        without_parts(lambda part: part.kind is PartKind.TEXT and not part.text),
    ),
    (
        "thoughts-dropped",
        "thought parts left out, with the signatures on them",
        "mistake",
        "dialects.md 1(e): gemini-cli",
        without_parts(lambda part: part.kind is PartKind.THOUGHT),
    ),
    (
        "thoughts-shortened",
        "the text of thought parts replaced by an ellipsis, the signature kept",
        "mistake",
        "dialects.md 1(d) GEM-16, 11.29",
        on_each(shorten_thoughts),
    ),
    (
        "snake-case",
        "`thought_signature` instead of `thoughtSignature` (harmless)",
        "variant",
        "dialects.md 1(a), 1(c) [real traffic]",
        on_each(in_snake_case),
    ),
)

GEMINI: tuple[Ready, ...] = tuple(
    Ready(
        name=f"gemini.{name}",
        title=title,
        dialects=("gemini",),
        kind=kind,
        source=source,
        make=make,
    )
    for name, title, kind, source, make in _TABLE
)
