"""From edits and the recorded request to the request to send.

All pointers name the recorded body, edits act all at once, and none moves another.
So any subset of edits that fit each other means the same inside the whole set, the
order of independent edits does not matter, and switching one off undoes just that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sigscope.edits.diff import diff
from sigscope.edits.headers import (
    disagreements,
    edited_headers,
    edited_url,
    for_changed_body,
)
from sigscope.edits.plan import EditMemory, contradictions, is_body_edit, plan
from sigscope.edits.records import Edit, Op
from sigscope.edits.splice import splice
from sigscope.edits.words import describe
from sigscope.errors import EditError
from sigscope.exchange import Body, Request, header
from sigscope.jsontext import JsonText

__all__ = ["apply", "apply_to_request", "conflicts", "diff"]


def apply(
    edits: Sequence[Edit], body: bytes | JsonText, known: EditMemory | None = None
) -> bytes:
    """The body with the edits; header and URL edits are passed over.

    Bytes that no edit names stay as they are: white space, order, escapes, repeated
    keys, digits. Without edits the very same object comes back. Inserts at one place
    stand in the order of the edits. Raises EditError, naming the edit, for one that
    does not fit the body, and naming both for two that contradict each other. `known`:
    as `plan` has it.
    """
    document = body if isinstance(body, JsonText) else JsonText(body)
    planned = plan(edits, document, known)
    for one, other in contradictions(planned):
        raise _contradiction(one, other)
    effects = [effect for item in planned for effect in item.effects]
    if not effects:
        return document.raw
    return _as_recorded(document, splice(document, effects, known))


def conflicts(
    edits: Sequence[Edit], body: bytes | JsonText, known: EditMemory | None = None
) -> tuple[tuple[Edit, Edit], ...]:
    """All pairs of edits that contradict each other, header and URL edits too.

    `known`: as `plan` has it. Raises EditError for an edit that does not fit the body.
    """
    document = body if isinstance(body, JsonText) else JsonText(body)
    found = [*contradictions(plan(edits, document, known)), *disagreements(edits)]
    return tuple(dict.fromkeys(found))


def apply_to_request(
    edits: Sequence[Edit],
    request: Request,
    *,
    decoded: bytes | None = None,
    text: JsonText | None = None,
    known: EditMemory | None = None,
) -> Request:
    """The request with all edits; the recorded one is not touched.

    `decoded` is the body with its content codings (gzip, br ...) taken off. It must
    be given where the request has any and an edit changes the body; the edited body
    then travels plain, without Content-Encoding. Content-Length follows a changed
    body where the request has one, unless an edit sets it. `text`: the plain body,
    read before; `known`: as `plan` has it. Raises EditError.
    """
    for one, other in disagreements(edits):
        raise _contradiction(one, other)
    headers = request.headers
    body = request.body
    if any(map(is_body_edit, edits)):
        coding = (header(headers, "content-encoding") or "identity").strip().lower()
        if coding != "identity" and decoded is None:
            raise EditError(
                f"the body is encoded ({coding}); it has to be decoded before edits "
                "can change it"
            )
        plain = request.body.raw if decoded is None else decoded
        changed = apply(edits, plain if text is None else text, known)
        if changed != plain:
            body = Body(changed)
            headers = for_changed_body(
                headers, len(changed), decoded=decoded is not None
            )
    if any(edit.op in (Op.HEADER, Op.UNHEADER) for edit in edits):
        headers = edited_headers(headers, edits)
    url = edited_url(request.url, edits)
    if body is request.body and (headers, url) == (request.headers, request.url):
        return request
    return replace(request, body=body, headers=headers, url=url)


def _contradiction(one: Edit, other: Edit) -> EditError:
    return EditError(
        f"two edits contradict each other: {describe(one)!r} and {describe(other)!r}; "
        "switch one of them off"
    )


def _as_recorded(document: JsonText, edited: bytes) -> bytes:
    """Edited text in the encoding of the recorded one."""
    encoding = document.encoding
    if encoding.is_utf8:
        return edited
    if encoding.from_utf8(document.data) != document.raw:
        raise EditError(
            f"the body is damaged {encoding.codec.upper()}; it cannot be changed "
            "without changing more than the edit says"
        )
    return encoding.from_utf8(edited)
