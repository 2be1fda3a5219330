"""How the Responses API words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import PAIR, TURN, TWO_HOSTS, known
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

_RESPONSES = "Responses API (OpenAI, Azure, Codex, Copilot)"
_OPENAI_DOCS = "platform.openai.com/docs/guides/reasoning"

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
    words(
        "RSP-3",
        "encrypted content {~}could not be verified",
        Place.SIGNATURE,
        unless=("RSP-1",),
    ),
    words("RSP-3", "invalid_encrypted_content", Place.SIGNATURE, in_code=True),
    words(
        "RSP-4",
        "Item with id {id} not found. Items are not persisted",
        Place.ID,
    ),
    words("RSP-4", "Items are not persisted when store is set to false", Place.NONE),
    words("RSP-5", "Encrypted content item_id did not match"),
    words("RSP-6", "Invalid input[{i}].id: string too long", Place.INPUT),
    words("RSP-7", "input item ID does not belong to this connection"),
    words("RSP-8", "previous_response_not_found", in_code=True),
    words("RSP-8", "Previous response with id {id} not found", Place.ID),
    words("RSP-12", "encrypted_content was not issued to this caller"),
    words("RSP-13", "thinking_signature_invalid", in_code=True),
)
_ENTRIES = (
    known(
        "RSP-1",
        _RESPONSES,
        "A reasoning item is sent without the item that it led to.",
        "the item after the named one: it was trimmed, or sorted elsewhere",
        TURN,
        "observed",
        f"{_OPENAI_DOCS} [docs], vercel/ai #7099 [issue report]",
    ),
    known(
        "RSP-2",
        _RESPONSES,
        "An item is sent with its id and without the reasoning item it came with.",
        "whether reasoning items are dropped while the ids of the others are kept",
        TURN,
        "documented",
        f"{_OPENAI_DOCS} [docs], continue #12620 [issue report]",
    ),
    known(
        "RSP-3",
        _RESPONSES,
        "encrypted_content was altered or cut, or another organisation, account or"
        " vendor issued it.",
        "whether the value is that of output_item.done (not of .added), and whether"
        " account, project or model was changed",
        TWO_HOSTS,
        "reported",
        "openai/codex #8145, #17541 [issue report]",
    ),
    known(
        "RSP-4",
        _RESPONSES,
        "An item's id is sent where nothing was stored (store is false), without its"
        " encrypted_content.",
        "`include`: it must ask for reasoning.encrypted_content; else drop the ids",
        TURN,
        "reported",
        f"{_OPENAI_DOCS} [docs], vercel/ai #12689 [issue report]",
    ),
    known(
        "RSP-5",
        _RESPONSES,
        "encrypted_content stands beside an id that is not the one it came with.",
        "whether the client makes ids of its own, shorter or unique ones",
        TURN,
        "reported",
        "openclaw #71333, #72602 [issue report]",
    ),
    known(
        "RSP-6",
        _RESPONSES,
        "An item's id is longer than this server takes; Copilot's ids are.",
        "whether the conversation began at Copilot and goes on elsewhere",
        TWO_HOSTS,
        "reported",
        "oh-my-pi #284 [issue report]",
    ),
    known(
        "RSP-7",
        _RESPONSES,
        "An item's id belongs to another connection.",
        "whether ids of an earlier connection or session are sent",
        TWO_HOSTS,
        "reported",
        "opencode #31236 [issue report]",
    ),
    known(
        "RSP-8",
        _RESPONSES,
        "previous_response_id is not known here: not stored, expired, or another"
        " account's.",
        "whether that response was made with store=true, by this account",
        TURN,
        "reported",
        "platform.openai.com/docs/guides/conversation-state [docs]",
    ),
    known(
        "RSP-9",
        "Azure OpenAI, Responses API",
        "A reasoning id is sent with store=false; told in the words of RSP-4.",
        "the ids of reasoning items: leave them out on Azure",
        TURN,
        "reported",
        "vercel/ai #12689 [issue report]",
    ),
    known(
        "RSP-10",
        _RESPONSES,
        "All reasoning items and the ids of the others were removed: accepted, but each"
        " step starts cold.",
        "nothing is refused for it",
        TURN,
        "documented",
        f"{_OPENAI_DOCS} [docs]",
    ),
    known(
        "RSP-11",
        _RESPONSES,
        "A reasoning item is sent with its content and without its id: said to be"
        " accepted.",
        "nothing is refused for it, as far as is known",
        TURN,
        "reported",
        "vercel/ai #12689 [issue report]",
    ),
    known(
        "RSP-12",
        _RESPONSES,
        "encrypted_content was issued to another caller.",
        "whether account, key or proxy pool changed within the conversation",
        TWO_HOSTS,
        "reported",
        "gentle-ai #4595 [issue report]",
    ),
    known(
        "RSP-13",
        "gateways to the Responses API",
        "A gateway's own name for a refused signature; its words hide the service's.",
        "the gateway's log: the service's own sentence",
        PAIR,
        "reported",
        "openclaw #92941 [issue report]",
    ),
)
WORDING = Wording(
    name="responses",
    prefix="RSP-",
    patterns=_PATTERNS,
    entries=_ENTRIES,
)
