"""The Responses API: what its services refuse (docs/wire/responses.md#rules).

The order in which the real services look is not known. Here: the form of the body,
what it names that is kept, the sealed values, then how items belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sigscope.opaque import fingerprint
from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import BadJsonError
from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import message_parts, parse_arguments
from sigscope.upstreams.simulator.checks.copilot_chat import speaks_responses
from sigscope.upstreams.simulator.checks.copilot_chat import wrap as copilot_wrap
from sigscope.upstreams.simulator.checks.frame import BodyChecks
from sigscope.upstreams.simulator.config import Anchor, SimConfig
from sigscope.upstreams.simulator.contents import Content, ContentPart
from sigscope.upstreams.simulator.families.base import Inquiry
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.mint.keyring import Recognition, SealOwner
from sigscope.upstreams.simulator.models import Model, read_model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    SignatureJudgement,
    Standing,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.talk import HeardTalk, Tool, hear
from sigscope.upstreams.simulator.texts import copilot_chat as copilot_texts
from sigscope.upstreams.simulator.texts import responses as texts
from sigscope.upstreams.simulator.texts.vendors import XAI_UNDECIPHERED

SEALED = ("reasoning", "compaction", "compaction_summary", "context_compaction")
KEEPS_NOTHING = ("codex", "copilot")
"""Services that store no answer."""
EARLY = "early"
"""What the value of an unfinished item is minted for."""
_LONGEST_ID = 64
_PREFIXES = {"reasoning": "rs", "function_call": "fc", "message": "msg"}
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_RESULTS = ("function_call_output", "custom_tool_call_output")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryItem:
    """One entry of the history."""

    data: dict[str, Json]
    pointer: str
    """In the request; empty for what the service kept."""
    number: int = -1
    """Place in `input`; below 0 for what was kept."""

    @property
    def type(self) -> str:
        return as_text(self.data.get("type")) or "message"

    @property
    def id(self) -> str:
        return as_text(self.data.get("id"))

    @property
    def blob(self) -> str:
        sealed = self.type in SEALED
        return as_text(self.data.get("encrypted_content")) if sealed else ""

    @property
    def is_output(self) -> bool:
        """Whether a model says it."""
        if self.type == "message":
            return self.data.get("role") == "assistant"
        return not self.type.endswith(("_output", "_response"))


class ResponsesChecks(BodyChecks):
    """What a service of the Responses API refuses; `config.service` says whose."""

    history = "input"

    def wrapper(self, docket: Docket) -> Wrap:
        return _wrapper(docket.config.service)

    def model_of(self, asked: str, config: SimConfig) -> Model:
        return _model(asked, config.model)

    def origin_of(self, model: Model, surface: str, config: SimConfig) -> SealOwner:
        return SealOwner(
            service=config.service, family=model.family, account=config.account
        )

    def refuse_json(self, error: BadJsonError) -> Refusal:
        return texts.BAD_JSON.refuse()

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        inquiry = docket.inquiry
        assert inquiry is not None
        own = list(own_items(body))
        kept = inquiry.shelf.history(as_text(body.get("previous_response_id")))
        told = (_resolved(item, inquiry.shelf) for item in own)
        items = [*(HistoryItem(data=as_dict(i), pointer="") for i in kept or ()), *told]
        look = _Look(docket, docket.config.service, inquiry, body, own, items)
        docket.signatures = look.judgements()
        return _contents(items), next(look.refusals(kept is None), None)

    def listen(self, contents: list[Content], body: dict[str, Json]) -> HeardTalk:
        tools, choice = _tools(body)
        system = as_text(body.get("instructions"))
        return hear(contents, system=system, tools=tools, choice=choice)


def own_items(body: dict[str, Json]) -> Iterator[HistoryItem]:
    """The items that a request brings; a text is a user's message."""
    given = body.get("input")
    if isinstance(given, str):
        yield HistoryItem(
            data={"role": "user", "content": given}, pointer="/input", number=0
        )
    for number, item in enumerate(as_list(given)):
        yield HistoryItem(data=as_dict(item), pointer=f"/input/{number}", number=number)


def _resolved(item: HistoryItem, shelf: KeptAnswers) -> HistoryItem:
    """What a reference means, where that is kept."""
    kept = shelf.item(item.id) if item.type == "item_reference" else None
    return item if kept is None else replace(item, data=as_dict(kept))


def stores(body: dict[str, Json], service: str) -> bool:
    """Whether the answer to a request is kept."""
    return service not in KEEPS_NOTHING and body.get("store") is not False


class _Look:
    """One request, looked at."""

    def __init__(
        self,
        docket: Docket,
        service: str,
        inquiry: Inquiry,
        body: dict[str, Json],
        own: Sequence[HistoryItem],
        items: Sequence[HistoryItem],
    ) -> None:
        """`own`: the items it brings; `items`: these, and those that were kept."""
        assert docket.origin is not None
        self._docket = docket
        self._service = service
        self._shelf = inquiry.shelf
        self._body = body
        self._own = own
        self._items = items
        self._origin = docket.origin
        self._seen = {
            item.pointer: docket.keyring.recognise(
                item.blob, self._origin, Anchor(kind="thought")
            )
            for item in own
            if item.blob
        }

    def judgements(self) -> list[SignatureJudgement]:
        """Every sealed value that is read."""
        return [
            SignatureJudgement(
                pointer=f"{item.pointer}/encrypted_content",
                fingerprint=fingerprint(item.blob),
                chars=len(item.blob),
                standing=self._standing(item),
                minted_for=_minted(self._seen[item.pointer]),
                found_on=f"{item.type} {item.id}".strip(),
                note=self._seen[item.pointer].note,
            )
            for item in self._own
            if item.blob
        ]

    def _standing(self, item: HistoryItem) -> Standing:
        seen = self._seen[item.pointer]
        is_whole = seen.standing is Standing.GENUINE
        wrong = is_whole and (self._is_early(item) or self._is_other_item(item))
        return Standing.MISPLACED if wrong else seen.standing

    def _is_early(self, item: HistoryItem) -> bool:
        anchor = self._seen[item.pointer].minted_for
        return anchor is not None and anchor.name == EARLY

    def _is_other_item(self, item: HistoryItem) -> bool:
        anchor = self._seen[item.pointer].minted_for
        meant = anchor.call_id if anchor else ""
        return bool(meant and item.id) and meant != item.id

    # --- Refusals, in the order in which they are found ---------------------------

    def refusals(self, is_chain_broken: bool) -> Iterator[Refusal]:
        """What is refused, the first of it first."""
        yield from self._manners()
        yield from self._form()
        before = as_text(self._body.get("previous_response_id"))
        if before and is_chain_broken:
            refusal = texts.UNKNOWN_ANSWER.refuse(
                pointer="/previous_response_id", name=before
            )
            yield _param(refusal, "previous_response_id")
        yield from self._not_kept()
        yield from self._sealed()
        yield from self._pairs()
        yield from self._calls()

    def _manners(self) -> Iterator[Refusal]:
        model = self._docket.model
        if self._service == "copilot" and not speaks_responses(model):
            text = copilot_texts.NOT_ON_RESPONSES
            yield text.refuse(pointer="/model", name=model.name)
        if self._service == "codex":
            if self._body.get("store") is not False:
                yield texts.STORES.refuse(pointer="/store" * ("store" in self._body))
            if not self._docket.streams:
                where = "/stream" * ("stream" in self._body)
                yield texts.NOT_STREAMED.refuse(pointer=where)
        if not self._own and not self._body.get("previous_response_id"):
            yield _param(texts.NO_INPUT.refuse(), "input")

    def _form(self) -> Iterator[Refusal]:
        for item in self._own:
            name, place = item.id, f"input[{item.number}]"
            prefix = _PREFIXES.get(item.type, "")
            limits = self._service not in ("copilot", "xai")
            if limits and len(name) > _LONGEST_ID:
                refusal = texts.LONG_ID.refuse(
                    pointer=f"{item.pointer}/id", position=item.number, length=len(name)
                )
                yield _param(refusal, f"{place}.id")
            if limits and name and not name.startswith(prefix) and item.is_output:
                refusal = texts.WRONG_ID.refuse(
                    pointer=f"{item.pointer}/id",
                    position=item.number,
                    name=name,
                    prefix=prefix,
                )
                yield _param(refusal, f"{place}.id")
            if item.type == "reasoning" and "summary" not in item.data:
                refusal = texts.NO_SUMMARY.refuse(
                    pointer=item.pointer, position=item.number
                )
                yield _param(refusal, f"{place}.summary")
            if self._service == "copilot" and name:
                seen = self._docket.keyring.recognise(name, self._origin, Anchor())
                if seen.standing is Standing.FOREIGN and seen.minted_for:
                    yield texts.OTHER_CONNECTION.refuse(pointer=f"{item.pointer}/id")

    def _not_kept(self) -> Iterator[Refusal]:
        """RSP-4, on Azure RSP-9: an id in place of the item."""
        for item in self._own:
            is_bare = item.type == "item_reference" or (
                item.type == "reasoning" and item.id and not item.blob
            )
            reads_text = bool(item.data.get("content"))
            if not is_bare or reads_text or self._shelf.item(item.id) is not None:
                continue
            stored = stores(self._body, self._service)
            text = texts.NOT_FOUND if stored else texts.NOT_PERSISTED
            rule = "RSP-9" if self._service == "azure" else None
            refusal = text.refuse(pointer=f"{item.pointer}/id", name=item.id, rule=rule)
            yield _param(refusal, "input")

    def _sealed(self) -> Iterator[Refusal]:
        """RSP-3 and RSP-5."""
        for item in self._own:
            if not item.blob:
                continue
            seen = self._seen[item.pointer]
            pointer = f"{item.pointer}/encrypted_content"
            short = f"{item.blob[:4]}...{item.blob[-4:]}"
            if seen.standing is Standing.GENUINE:
                if self._is_early(item) and self._docket.config.strict:
                    yield texts.UNVERIFIED.refuse(pointer=pointer, name=short)
                elif self._is_other_item(item):
                    yield texts.OTHER_ITEM.refuse(pointer=pointer, name=short)
            elif self._service == "xai":
                yield XAI_UNDECIPHERED.refuse(pointer=pointer)
            elif seen.standing is Standing.FOREIGN and self._knows_callers:
                yield texts.ISSUED_TO_ANOTHER.refuse(pointer=pointer)
            elif seen.standing is Standing.FOREIGN and _is_same_service(seen, self):
                yield texts.OTHER_ORGANIZATION.refuse(pointer=pointer, name=short)
            else:
                yield texts.UNVERIFIED.refuse(pointer=pointer, name=short)

    @property
    def _knows_callers(self) -> bool:
        """Whether the model's maker tells another caller's value from a broken one."""
        return self._docket.model.vendor == "meta"

    @property
    def service(self) -> str:
        return self._service

    def _pairs(self) -> Iterator[Refusal]:
        """RSP-1 and RSP-2. Only where ids are sent: without them no text tells of
        what is missing."""
        named = {item.id for item in self._items if item.id}
        followers = _followers(self._own)
        for number, item in enumerate(self._own):
            if item.type == "reasoning" and item.id:
                follower = followers[number]
                is_stored = self._shelf.item(item.id) is not None
                if (
                    follower is None
                    or not follower.is_output
                    or (is_stored and follower.type == "message" and not follower.id)
                ):
                    refusal = texts.UNFOLLOWED.refuse(
                        pointer=item.pointer, name=item.id
                    )
                    yield _param(refusal, "input")
            needed = self._shelf.reasoning_before(item.id) if item.is_output else ""
            before = self._own[number - 1].type if number else ""
            if needed and needed not in named and before != "reasoning":
                refusal = texts.WITHOUT_REASONING.refuse(
                    pointer=item.pointer,
                    name=item.id,
                    type=item.type,
                    reasoning=needed,
                )
                yield _param(refusal, "input")

    def _calls(self) -> Iterator[Refusal]:
        """Calls and their results. What a conversation of the service holds is not
        known here; clients answer calls of other tools as functions, too."""
        callers = {i.type for i in self._items if i.type.endswith("_call")}
        called = _ids(self._items, (*_CALLS, *callers))
        answered = _ids(self._items, _RESULTS)
        is_kept = bool(self._body.get("conversation"))
        for item in self._own:
            name = as_text(item.data.get("call_id"))
            if item.type in _RESULTS and name not in called and not is_kept:
                refusal = texts.UNCALLED.refuse(
                    pointer=f"{item.pointer}/call_id", name=name
                )
                yield _param(refusal, "input")
        for item in self._items:
            name = as_text(item.data.get("call_id"))
            if item.type in _CALLS and name not in answered:
                refusal = texts.UNANSWERED.refuse(pointer=item.pointer, name=name)
                yield _param(refusal, "input")


def _followers(items: Sequence[HistoryItem]) -> list[HistoryItem | None]:
    """What stands behind each that is no reasoning; None at the end."""
    found: list[HistoryItem | None] = []
    behind: HistoryItem | None = None
    for item in reversed(items):
        found.append(behind)
        behind = behind if item.type == "reasoning" else item
    return found[::-1]


def _ids(items: Sequence[HistoryItem], types: Sequence[str]) -> set[str]:
    return {as_text(i.data.get("call_id")) for i in items if i.type in types}


def _is_same_service(seen: Recognition, look: _Look) -> bool:
    """Whether it was minted here for another account."""
    return seen.note.startswith(f"minted by {look.service} ")


def _minted(seen: Recognition) -> str:
    anchor = seen.minted_for
    if anchor is None:
        return ""
    return f"{anchor.name} {anchor.call_id}".strip() if anchor.call_id else "reasoning"


def _model(asked: str, fallback: str) -> Model:
    """A service of this API answers with whatever name it is asked for."""
    name = asked or fallback
    return read_model(name) or Model(name=name or "gpt-5", vendor="other")


# --- Error bodies ---------------------------------------------------------------------


def _param(refusal: Refusal, name: str) -> Refusal:
    """With the parameter that the error names beside its words."""
    return replace(refusal, violations=(("param", name),))


def _wrapper(service: str) -> Wrap:
    if service == "copilot":
        return _copilot
    return _detail if service == "codex" else wrap


def wrap(refusal: Refusal) -> Json:
    """{"error": {"message", "type", "param", "code"}}."""
    params = dict(refusal.violations)
    return {
        "error": {
            "message": refusal.message,
            "type": "invalid_request_error",
            "param": params.get("param"),
            "code": refusal.code or None,
        }
    }


def _copilot(refusal: Refusal) -> Json:
    return copilot_wrap(refusal) if refusal.rule != "RSP-7" else wrap(refusal)


def _detail(refusal: Refusal) -> Json:
    """The ChatGPT backend's own complaints; those of the API behind it as they are."""
    if refusal.rule or refusal.violations:
        return wrap(refusal)
    return {"detail": refusal.message}


# --- What the model hears -------------------------------------------------------------


def _contents(items: Sequence[HistoryItem]) -> list[Content]:
    """Neighbouring items of one side are one content."""
    contents: list[Content] = []
    names: dict[str, str] = {}
    for item in items:
        part = _part(item, names)
        if part is None:
            continue
        side = "model" if item.is_output else "user"
        is_result = item.type in _RESULTS
        last = contents[-1] if contents else None
        # Results stand with results alone: the last one tells of all.
        if (
            last
            and last.role == side
            and (side == "model" or (last.parts[-1].kind == "result") == is_result)
        ):
            last.parts.append(part)
        else:
            contents.append(Content(role=side, pointer=item.pointer, parts=[part]))
    return contents


def _part(item: HistoryItem, names: dict[str, str]) -> ContentPart | None:
    data, call_id = item.data, as_text(item.data.get("call_id"))
    if item.type in _CALLS:
        names[call_id] = as_text(data.get("name"))
        arguments = parse_arguments(data.get(_CALLS[item.type]))
        return ContentPart(
            kind="call",
            pointer=item.pointer,
            name=names[call_id],
            call_id=call_id,
            arguments=arguments,
        )
    if item.type in _RESULTS:
        text = _text(data.get("output"), item.pointer)
        return ContentPart(
            kind="result",
            pointer=item.pointer,
            name=names.get(call_id, ""),
            call_id=call_id,
            text=text,
            arguments={"content": text},
        )
    if item.type == "message" and data.get("role") not in ("system", "developer"):
        text = _text(data.get("content"), item.pointer)
        return ContentPart(kind="text", pointer=item.pointer, text=text)
    return None


def _text(content: Json, pointer: str) -> str:
    parts = message_parts({"content": content}, pointer)
    return "\n".join(part.text for part in parts if part.text)


def _tools(body: dict[str, Json]) -> tuple[tuple[Tool, ...], str]:
    """Functions stand in the list itself, not inside of a member."""
    tools = [
        Tool(
            name=as_text(tool.get("name")),
            description=as_text(tool.get("description")),
            schema=tool.get("parameters"),
        )
        for tool in map(as_dict, as_list(body.get("tools")))
        if tool.get("type") == "function" and tool.get("name")
    ]
    choice = body.get("tool_choice")
    named = as_text(as_dict(choice).get("name"))
    return tuple(tools), named or as_text(choice) or "auto"
