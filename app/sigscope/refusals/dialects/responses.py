"""How the Responses API words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import PAIR, TWO_HOSTS
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

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
WORDING = Wording(
    name="responses",
    api="Responses API (OpenAI, Azure, Codex, Copilot)",
    prefix="RSP-",
    patterns=_PATTERNS,
    looks={
        "RSP-1": "the item after the named one: it was trimmed, or sorted elsewhere",
        "RSP-2": "whether reasoning items are dropped while the ids of the others are"
        " kept",
        "RSP-3": "whether the value is that of output_item.done (not of .added), and"
        " whether account, project or model was changed",
        "RSP-4": "`include`: it must ask for reasoning.encrypted_content; else drop the"
        " ids",
        "RSP-5": "whether the client makes ids of its own, shorter or unique ones",
        "RSP-6": "whether the conversation began at Copilot and goes on elsewhere",
        "RSP-7": "whether ids of an earlier connection or session are sent",
        "RSP-8": "whether that response was made with store=true, by this account",
        "RSP-9": "the ids of reasoning items: leave them out on Azure",
        "RSP-10": "nothing is refused for it",
        "RSP-11": "nothing is refused for it, as far as is known",
        "RSP-12": "whether account, key or proxy pool changed within the conversation",
        "RSP-13": "the gateway's log: the service's own sentence",
        "RSP-14": "the named call and its output: one was trimmed, or its `call_id`"
        " changed",
    },
    records={
        "RSP-3": TWO_HOSTS,
        "RSP-6": TWO_HOSTS,
        "RSP-7": TWO_HOSTS,
        "RSP-12": TWO_HOSTS,
        "RSP-13": PAIR,
    },
    apis={
        "RSP-9": "Azure OpenAI, Responses API",
        "RSP-13": "gateways to the Responses API",
    },
    kin={
        "RSP-11": frozenset({"RSP-3", "RSP-5"}),
        "RSP-12": frozenset({"RSP-3"}),
    },
    wants=frozenset({"RSP-2"}),
)
