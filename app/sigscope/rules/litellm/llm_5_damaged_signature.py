"""A stored signature is replayed in damaged form.

Why it matters: the text of GEM-6 ("Base64 decoding failed") or GEM-4 behind the
proxy's prefix. Reported for the Responses bridge with `previous_response_id`, where the
proxy itself stores the signature; in a field of the call it is the client's doing.
Bad:  {"provider_specific_fields": {"thought_signature": "EhkKFwHe..."}}
Good: {"provider_specific_fields": {"thought_signature": "EhkKFwHeWwZgVZrq0IJk"}}
False alarms: the report is about the bridge; for fields of chat completions it is
inferred from the shared upstream, and warns until the answer confirms it. Damage inside
an id is LLM-4's. The list of a message with calls counts where its content is a string:
the proxy signs the text with its first element.
Fix: the signature as received; what nobody issued goes; for the bridge none, the state
is the proxy's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sigscope import opaque
from sigscope.dialects.litellm import IN_CALL_ID, MESSAGE_LIST
from sigscope.pointer import is_within
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, node
from sigscope.rules.fixes import maybe_home, send_back
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.kinds.bypass import effect_of
from sigscope.rules.kinds.misplaced import away
from sigscope.rules.litellm.proxy import ON_CALLS, is_geminis, unreadable_values
from sigscope.rules.subject import Loss
from sigscope.rules.words import kind_of, stand_in


def check(subject: Subject) -> Iterator[Claim]:
    """Damaged fields, and the bridge's own complaint."""
    if subject.wire == "litellm":
        yield from FIELDS(subject)
        yield from _unreadable(subject)
        yield from _misspelt(subject)
        yield from _on_texts(subject)
    else:
        yield from _bridge(subject)


def _is_in_a_field(subject: Subject, loss: Loss) -> bool:
    """Damage inside an id is LLM-4's."""
    spots = subject.placed(loss.signature)
    is_in_id = not spots or spots[0].carrier == IN_CALL_ID
    return is_geminis(loss.signature) and (bool(loss.instead) or not is_in_id)


FIELDS = Altered(
    of=_is_in_a_field,
    words="{signature} {damaged}",
    exchanged="another signature stands where {signature} belongs; no recorded"
    " response issued it for this call",
)


def _unreadable(subject: Subject) -> Iterator[Claim]:
    """What is no text where a call's signature stands."""
    for pointer, value in unreadable_values(subject).items():
        yield Claim(
            pointer,
            f"the signature is {kind_of(value)}, not text; the proxy passes it on as it"
            " is, and Google reads text there",
            fix=_genuine(subject, pointer),
        )


def _misspelt(subject: Subject) -> Iterator[Claim]:
    """Bypasses that are no base64, which Google refuses wherever they stand."""
    for sighting in subject.sent:
        bypass = opaque.maybe_bypass(sighting.value)
        if bypass is None or opaque.decode(bypass.literal) is not None:
            continue
        if sighting.is_read or sighting.pointer in subject.once(_beside_calls):
            yield Claim(
                sighting.pointer,
                f"{stand_in(bypass)}: {effect_of(subject, bypass)}",
                fix=_genuine(subject, sighting.pointer),
            )


def _genuine(subject: Subject, pointer: str) -> Fix:
    """The signature that a bypass took the place of; where none is known, the
    bypass goes: the proxy adds one of its own."""
    for loss in subject.losses:
        home = maybe_home(subject, loss.signature, loss.index)
        if home is not None and is_within(pointer, home.pointer):
            fix = send_back(subject, loss)
            if fix is not None:
                return fix
    return _away(subject, pointer)


def _away(subject: Subject, pointer: str) -> Fix:
    return away(subject, pointer, "it is no signature")


def _on_texts(subject: Subject) -> Iterator[Claim]:
    """What the proxy puts on the text beside calls and no response has issued."""
    beside = subject.once(_beside_calls)
    if not beside:
        return
    known = {
        opaque.comparison_key(signature.value)
        for signature, _ in subject.concerned
        if signature.received
    }
    for pointer, value in beside.items():
        is_bypass = opaque.maybe_bypass(value) is not None
        if is_bypass or opaque.comparison_key(value) in known:
            continue
        if opaque.decode(value) is not None and not known:
            continue
        yield Claim(
            pointer,
            "the proxy signs the text beside the calls with"
            f" {opaque.fingerprint(value)} ({len(value)} characters), which no recorded"
            " response issued",
            fix=_away(subject, pointer),
            signature=opaque.sha256(value),
        )


def _beside_calls(subject: Subject) -> Mapping[str, str]:
    """Pointer and value of first elements of the message's list, on messages with
    calls and a string as content: the proxy signs the text with them, unless the call
    has the very same (docs/wire/litellm.md#placements, executed)."""
    found = {}
    for index, message in enumerate(subject.messages):
        sightings = subject.sighted.get(index, ())
        listed = [s for s in sightings if s.carrier == MESSAGE_LIST]
        if not message.calls or not listed or not listed[0].pointer.endswith("/0"):
            continue
        on_calls = {s.value for s in sightings if s.carrier in ON_CALLS}
        content = node(subject.reading.request_json, f"{message.pointer}/content")
        if isinstance(content, str) and listed[0].value not in on_calls:
            found[listed[0].pointer] = listed[0].value
    return found


def _bridge(subject: Subject) -> Iterator[Claim]:
    """A request of the Responses shape whose history the proxy holds."""
    error = subject.error
    if error is None or "GEM-6" not in subject.heard:
        return
    is_proxy = any(text.lstrip().startswith("litellm.") for text in error.texts)
    before = node(subject.reading.request_json, "/previous_response_id")
    if is_proxy and isinstance(before, str):
        yield Claim(
            "/previous_response_id",
            f"the proxy replayed the signature it stored for {before} in damaged form",
        )


RULE = Rule(
    code="LLM-5",
    name="damaged-signature",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source=(
        "BerriAI/litellm#42201, google-gemini/gemini-cli#8003, crmne/ruby_llm#521 "
        "[issue report; inferred for fields]"
    ),
    check=check,
    hears_all_errors=True,
)
