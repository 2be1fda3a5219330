"""Mistakes that are the same in every dialect: to the text, the anchor, the message."""

from __future__ import annotations

from sigscope.edits.records import Edit
from sigscope.readymade import values
from sigscope.readymade.context import Context
from sigscope.readymade.dialects import REPERTOIRES, repertoire_of
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Rows, ready_edits
from sigscope.readymade.rewriter import on_each
from sigscope.readymade.values import recoded, replaced, respell

EVERY = tuple(each.dialect for each in REPERTOIRES if each.is_signed)


def _move_to_sibling(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The signature of the first of parallel calls on the second."""
    repertoire = repertoire_of(context.dialect)
    if repertoire and repertoire.to_sibling and len(bearer.message.calls) > 1:
        repertoire.to_sibling(draft, context, bearer)


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
    repertoire = repertoire_of(context.dialect)
    return repertoire.split(context) if repertoire and repertoire.split else None


def merge(context: Context) -> tuple[Edit, ...] | None:
    """What was split is one again."""
    repertoire = repertoire_of(context.dialect)
    return repertoire.merge(context) if repertoire and repertoire.merge else None


_NO_BASE64 = (
    "crmne/ruby_llm#521, google-gemini/gemini-cli#8003, "
    "BerriAI/litellm#42201; docs/wire/README.md#outcomes, "
    "docs/wire/gemini.md#gem-6"
)
_NO_GEMINI_BASE64 = (
    "crmne/ruby_llm#521, google-gemini/gemini-cli#8003, "
    "BerriAI/litellm#42201; docs/wire/gemini.md#gem-6"
)
_ROWS: Rows = (
    (
        "cut",
        "every signature cut to a length that no base64 has",
        "mistake",
        _NO_BASE64,
        on_each(recoded(values.cut)),
    ),
    (
        "cut-with-ellipsis",
        "every signature cut, with an ellipsis behind it",
        "mistake",
        "openclaw/openclaw#82995; docs/wire/README.md#outcomes",
        on_each(recoded(values.cut_with_ellipsis)),
    ),
    (
        "other-alphabet",
        "the other base64 alphabet (harmless on Google's own API)",
        "variant",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "googleapis/python-genai#2105; docs/wire/gemini.md#policy"
        ),
        on_each(recoded(values.other_alphabet)),
    ),
    (
        "no-padding",
        "base64 without its `=` (harmless on Google's own API)",
        "variant",
        (
            "recordings of pydantic/pydantic-ai; docs/wire/README.md#outcomes, "
            "docs/wire/fingerprints.md"
        ),
        on_each(recoded(values.without_padding)),
    ),
    (
        "double-base64",
        "base64 put around the signature once more",
        "mistake",
        _NO_BASE64,
        on_each(recoded(values.double_base64)),
    ),
    (
        "raw-bytes",
        "decoded once too often: raw bytes as characters",
        "mistake",
        _NO_GEMINI_BASE64,
        on_each(recoded(values.raw_bytes)),
    ),
    (
        "quoted-twice",
        "quotes written into the signature",
        "mistake",
        _NO_GEMINI_BASE64,
        on_each(recoded(values.quoted_twice)),
    ),
    (
        "altered",
        "one character of every signature is another",
        "mistake",
        "docs/wire/README.md#outcomes",
        on_each(recoded(values.altered)),
    ),
    (
        "foreign",
        "made-up signatures that only look like the issuer's",
        "mistake",
        (
            "google-gemini/gemini-cli#13467, OpenRouterTeam/ai-sdk-provider#491; "
            "docs/wire/README.md#outcomes, docs/wire/gemini.md#gem-14"
        ),
        on_each(recoded(values.foreign)),
    ),
    (
        "swap",
        "the signatures of the last two messages exchanged",
        "mistake",
        "docs/wire/README.md#outcomes",
        swap,
    ),
    (
        "move-to-sibling",
        "the signature of the first of parallel calls on the second",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, BerriAI/litellm; "
            "docs/wire/gemini.md#gem-11, docs/wire/litellm.md#placements"
        ),
        on_each(_move_to_sibling),
    ),
    (
        "split",
        "one reply in two messages, calls apart from their signature",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "googleapis/js-genai#1275, google/adk-go#764; docs/wire/gemini.md#gem-8, "
            "docs/wire/copilot-chat.md#policy"
        ),
        split,
    ),
    (
        "merge",
        "messages that belong to one reply are one again",
        "cure",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "microsoft/vscode-copilot-chat, olimorris/codecompanion.nvim#2419; "
            "docs/wire/gemini.md#policy, docs/wire/copilot-chat.md#policy"
        ),
        merge,
    ),
    (
        "bypass-raw",
        "the bypass, as it is written; reasoning is lost",
        "cure",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures; "
            "docs/wire/gemini.md#bypass, docs/wire/copilot-chat.md#bypass"
        ),
        on_each(replaced(values.BYPASS)),
    ),
    (
        "bypass-base64",
        "the bypass in base64; contested on Vertex",
        "cure",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures [contested]; "
            "docs/wire/gemini.md#bypass"
        ),
        on_each(replaced(values.bypass_base64(""))),
    ),
    (
        "bypass-second",
        "the second bypass, which Vertex does not know",
        "cure",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "pydantic/pydantic-ai#3881; docs/wire/gemini.md#bypass"
        ),
        on_each(replaced(values.SECOND_BYPASS)),
    ),
    (
        "bypass-mistyped",
        "the second bypass with a blank for an underscore, as it circulates",
        "mistake",
        "ai.google.dev/gemini-api/docs/thought-signatures; docs/wire/gemini.md#bypass",
        on_each(replaced(values.MISTYPED_BYPASS)),
    ),
)

GENERIC = ready_edits(EVERY, _ROWS)
