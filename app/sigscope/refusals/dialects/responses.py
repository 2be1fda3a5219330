"""How the Responses API words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import PAIR, TURN, TWO_HOSTS, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

_RESPONSES = "Responses API (OpenAI, Azure, Codex, Copilot)"

_PATTERNS = (
    words(
        "RSP-1",
        "<Item {id} of type >reasoning was provided without its required following "
        "item",
        Place.ID,
    ),
    words(
        "RSP-2",
        "<Item {id} of type {type}>was provided without its required reasoning item"
        "<: {rs}>",
        Place.ID,
    ),
    words("RSP-5", "Encrypted content item_id did not match", Place.SIGNATURE),
    words(
        "RSP-3",
        "encrypted content {~}could not be verified",
        Place.SIGNATURE,
        unless=("RSP-1", "RSP-5"),
    ),
    words("RSP-3", "invalid_encrypted_content", Place.SIGNATURE, in_code=True),
    words(
        "RSP-4",
        "Item with id {id} not found. Items are not persisted",
        Place.ID,
    ),
    words("RSP-4", "Items are not persisted when store is set to false", Place.NONE),
    words("RSP-6", "Invalid input[{i}].id: string too long", Place.INPUT),
    words("RSP-7", "input item ID does not belong to this connection"),
    words("RSP-8", "previous_response_not_found", Place.PATH, in_code=True),
    words("RSP-8", "Previous response with id {id} not found", Place.PATH),
    words(
        "RSP-12",
        "encrypted_content was not issued to this caller",
        Place.SIGNATURE,
    ),
    words("RSP-14", "No tool output found for function call {id$}", Place.ID),
    words(
        "RSP-14",
        "No tool call found for function call output with call_id {id$}",
        Place.RESULT,
    ),
    words("RSP-13", "thinking_signature_invalid", Place.SIGNATURE, in_code=True),
)
_ENTRIES = (
    built(
        "RSP-1",
        _RESPONSES,
        "the item after the named one: it was trimmed, or sorted elsewhere",
        TURN,
    ),
    built(
        "RSP-2",
        _RESPONSES,
        "whether reasoning items are dropped while the ids of the others are kept",
        TURN,
    ),
    built(
        "RSP-3",
        _RESPONSES,
        "whether the value is that of output_item.done (not of .added), and whether"
        " account, project or model was changed",
        TWO_HOSTS,
    ),
    built(
        "RSP-4",
        _RESPONSES,
        "`include`: it must ask for reasoning.encrypted_content; else drop the ids",
        TURN,
    ),
    built(
        "RSP-5",
        _RESPONSES,
        "whether the client makes ids of its own, shorter or unique ones",
        TURN,
    ),
    built(
        "RSP-6",
        _RESPONSES,
        "whether the conversation began at Copilot and goes on elsewhere",
        TWO_HOSTS,
    ),
    built(
        "RSP-7",
        _RESPONSES,
        "whether ids of an earlier connection or session are sent",
        TWO_HOSTS,
    ),
    built(
        "RSP-8",
        _RESPONSES,
        "whether that response was made with store=true, by this account",
        TURN,
    ),
    built(
        "RSP-9",
        "Azure OpenAI, Responses API",
        "the ids of reasoning items: leave them out on Azure",
        TURN,
    ),
    built(
        "RSP-10",
        _RESPONSES,
        "nothing is refused for it",
        TURN,
    ),
    built(
        "RSP-11",
        _RESPONSES,
        "nothing is refused for it, as far as is known",
        TURN,
    ),
    built(
        "RSP-12",
        _RESPONSES,
        "whether account, key or proxy pool changed within the conversation",
        TWO_HOSTS,
    ),
    built(
        "RSP-13",
        "gateways to the Responses API",
        "the gateway's log: the service's own sentence",
        PAIR,
    ),
    built(
        "RSP-14",
        _RESPONSES,
        "the named call and its output: one was trimmed, or its `call_id` changed",
        TURN,
    ),
)
WORDING = Wording(
    name="responses",
    prefix="RSP-",
    patterns=_PATTERNS,
    entries=_ENTRIES,
    kin={
        "RSP-9": frozenset({"RSP-4"}),
        "RSP-11": frozenset({"RSP-3", "RSP-5"}),
        "RSP-12": frozenset({"RSP-3"}),
    },
    wants=frozenset({"RSP-2"}),
)
