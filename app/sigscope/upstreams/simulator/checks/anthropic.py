"""What the Messages API refuses: the form first, then calls and results, then the
thinking blocks (docs/wire/anthropic.md#rules).

Which of several faults is named first is not documented; this order is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import BadJsonError, Incoming
from sigscope.upstreams.simulator.checks.binding import BETA, Before, binds
from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.frame import BodyChecks
from sigscope.upstreams.simulator.config import Anchor, SimConfig
from sigscope.upstreams.simulator.contents import Content, ContentPart
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.keyring import (
    Keyring,
    Recognition,
    SealOwner,
    digest,
)
from sigscope.upstreams.simulator.models import Model
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
from sigscope.upstreams.simulator.texts import ErrorText
from sigscope.upstreams.simulator.texts import anthropic as texts

THINKING, REDACTED = "thinking", "redacted_thinking"
_SECRET = {THINKING: "signature", REDACTED: "data"}
"""The member of a block that is verified."""
_FIELDS = {
    "text": {"text", "citations"},
    THINKING: {"thinking", "signature"},
    REDACTED: {"data"},
    "tool_use": {"id", "name", "input", "caller"},
}
"""Members of the blocks of an assistant, beside `type` and `cache_control`."""
_CACHE = "cache_control"
_VERSION = re.compile(r"claude-(?:[a-z]+-)*(\d)(?:[-.](\d{1,2}))?(?!\d)")
"""claude-3-5-sonnet, claude-sonnet-4-20250514, claude-opus-4-8."""
_MOST_CACHED, _LEAST_BUDGET = 4, 1024


@dataclass(frozen=True, slots=True)
class SentBlock:
    """One block of a message, where it stands."""

    message: int
    number: int
    fields: dict[str, Json]

    @property
    def kind(self) -> str:
        return as_text(self.fields.get("type"))

    @property
    def pointer(self) -> str:
        return f"/messages/{self.message}/content/{self.number}"

    @property
    def secret(self) -> str:
        """Its signature, or what is sealed."""
        return as_text(self.fields.get(_SECRET.get(self.kind, "")))

    @property
    def secret_pointer(self) -> str:
        return f"{self.pointer}/{_SECRET[self.kind]}"


@dataclass(slots=True, kw_only=True)
class Thinking:
    """What the request asks for."""

    mode: str = ""
    """enabled (with a budget), adaptive, or nothing."""
    interleaves: bool = False
    """Whether the model may think between calls."""
    is_omitted: bool = False
    """Whether the text of a thought is left out."""
    drops: bool = False
    """Whether blocks of another conversation are left out, instead of refused."""


@dataclass(slots=True, kw_only=True)
class SentMessages:
    """The messages of a request, block by block."""

    entries: list[dict[str, Json]]
    blocks: list[list[SentBlock]] = field(default_factory=list)

    @classmethod
    def read(cls, messages: Json) -> SentMessages:
        entries = [as_dict(entry) for entry in as_list(messages)]
        found = cls(entries=entries)
        for index, entry in enumerate(entries):
            content = entry.get("content")
            if isinstance(content, str):
                content = [{"type": "text", "text": content}] if content else []
            found.blocks.append(
                [
                    SentBlock(index, n, as_dict(b))
                    for n, b in enumerate(as_list(content))
                ]
            )
        return found

    def role(self, index: int) -> str:
        return as_text(self.entries[index].get("role"))

    def of(self, index: int, kind: str) -> list[SentBlock]:
        return [block for block in self.blocks[index] if block.kind == kind]

    def thoughts(self) -> Iterator[SentBlock]:
        """Every thinking block of the assistant's messages."""
        for index, blocks in enumerate(self.blocks):
            if self.role(index) == "assistant":
                yield from (block for block in blocks if block.kind in _SECRET)

    @property
    def turn(self) -> int:
        """Index of the first message after the last user message that brings no tool
        result: the assistant's turn goes on through those."""
        for index in range(len(self.entries) - 1, -1, -1):
            if self.role(index) == "user" and not self.of(index, "tool_result"):
                return index + 1
        return 0

    def last_assistant(self) -> int | None:
        found = [i for i in range(len(self.entries)) if self.role(i) == "assistant"]
        return found[-1] if found else None

    def contents(self) -> list[Content]:
        """The conversation as the model hears it."""
        names = {
            as_text(block.fields.get("id")): as_text(block.fields.get("name"))
            for blocks in self.blocks
            for block in blocks
            if block.kind == "tool_use"
        }
        return [
            Content(
                role="model" if self.role(index) == "assistant" else "user",
                pointer=f"/messages/{index}",
                parts=[_part(block, names) for block in blocks],
            )
            for index, blocks in enumerate(self.blocks)
            if self.role(index) != "system"
        ]


def _part(block: SentBlock, names: dict[str, str]) -> ContentPart:
    fields, at = block.fields, block.pointer
    if block.kind == "text":
        return ContentPart(kind="text", pointer=at, text=as_text(fields.get("text")))
    if block.kind == THINKING:
        return ContentPart(
            kind="thought", pointer=at, text=as_text(fields.get(THINKING))
        )
    if block.kind == "tool_use":
        return ContentPart(
            kind="call",
            pointer=at,
            name=as_text(fields.get("name")),
            call_id=as_text(fields.get("id")),
            arguments=as_dict(fields.get("input")),
        )
    if block.kind == "tool_result":
        call_id = as_text(fields.get("tool_use_id"))
        text = _text(fields.get("content"))
        return ContentPart(
            kind="result",
            pointer=at,
            name=names.get(call_id, ""),
            call_id=call_id,
            text=text,
            arguments={"result": text},
        )
    return ContentPart(kind="other", pointer=at)


def _text(content: Json) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(as_text(as_dict(block).get("text")) for block in as_list(content))


def wrap(refusal: Refusal) -> Json:
    """{"type": "error", "error": {"type", "message"}, "request_id"}"""
    request_id = Draws("request", refusal.message).word(24)
    return {
        "type": "error",
        "error": {
            "type": refusal.code or texts.INVALID,
            "message": refusal.message,
        },
        "request_id": f"req_011{request_id}",
    }


class AnthropicChecks(BodyChecks):
    """What Anthropic refuses, whoever serves it."""

    history = "messages"

    def wrapper(self, docket: Docket) -> Wrap:
        return wrap

    def model_of(self, asked: str, config: SimConfig) -> Model:
        """Bedrock and gateways put regions and vendors before the name; what is no
        Claude answers like one here."""
        for name in (asked, config.model):
            start = name.find("claude")
            if start >= 0:
                return Model(name=name[start:], vendor="anthropic")
        return Model(name=asked or "claude-sonnet-4-5", vendor="anthropic")

    def refuse_json(self, error: BadJsonError) -> Refusal:
        return texts.BAD_BODY.refuse(problem=error.problem)

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        assert docket.origin is not None
        assert docket.inquiry is not None
        reader = SentMessages.read(body.get("messages"))
        thinking = thinking_of(body, docket.inquiry.incoming)
        verifier = Verifier(
            reader=reader,
            keyring=docket.keyring,
            origin=docket.origin,
            body=body,
            drops=thinking.drops,
        )
        docket.signatures = verifier.judgements()
        docket.notes = tuple(
            f"{block.pointer}: left out, since it was made in another conversation"
            for block in verifier.dropped(docket.model.name)
        )
        refusal = (
            _refuse_system(reader, docket.model)
            or _refuse_form(body, reader, thinking)
            or _refuse_pairs(reader)
            or _refuse_thinking(reader, thinking)
            or verifier.refusal()
            or verifier.refuse_unbound(docket.model.name)
        )
        return reader.contents(), refusal

    def listen(self, contents: list[Content], body: dict[str, Json]) -> HeardTalk:
        tools, choice = _tools(body)
        system = _text(body.get("system"))
        return hear(contents, system=system, tools=tools, choice=choice)


def thinking_of(body: dict[str, Json], incoming: Incoming) -> Thinking:
    """`{"type": "enabled", "budget_tokens": N}`, `{"type": "adaptive"}`"""
    told = as_dict(body.get("thinking"))
    mode = as_text(told.get("type"))
    betas = [incoming.headers.get("anthropic-beta", "")]
    betas += [as_text(beta) for beta in as_list(body.get("anthropic_beta"))]
    return Thinking(
        mode=mode if mode in ("enabled", "adaptive") else "",
        interleaves=mode == "adaptive" or any("interleaved" in beta for beta in betas),
        is_omitted=told.get("display") == "omitted",
        drops=as_dict(told.get("block_binding")).get("prefix_mismatch_behavior")
        == "drop_block"
        and any(BETA in beta for beta in betas),
    )


def _tools(body: dict[str, Json]) -> tuple[tuple[Tool, ...], str]:
    tools = tuple(
        Tool(
            name=as_text(entry.get("name")),
            description=as_text(entry.get("description")),
            schema=entry.get("input_schema"),
        )
        for entry in map(as_dict, as_list(body.get("tools")))
        if "input_schema" in entry
    )
    choice = as_dict(body.get("tool_choice"))
    kind = as_text(choice.get("type"))
    named = {"any": "required", "none": "none", "tool": as_text(choice.get("name"))}
    return tools, named.get(kind) or "auto"


# --- The form -------------------------------------------------------------------------


def _refuse_form(
    body: dict[str, Json], reader: SentMessages, thinking: Thinking
) -> Refusal | None:
    for member in ("max_tokens", "messages"):
        if body.get(member) is None:
            return texts.MISSING.refuse(pointer=f"/{member}", field=member)
    if thinking.mode == "enabled":
        budget = as_dict(body.get("thinking")).get("budget_tokens")
        if not isinstance(budget, int):
            name = "thinking.enabled.budget_tokens"
            return texts.MISSING.refuse(pointer="/thinking", field=name)
        if budget < _LEAST_BUDGET:
            return texts.SMALL_BUDGET.refuse(pointer="/thinking/budget_tokens")
    if thinking.mode and as_dict(body.get("tool_choice")).get("type") in (
        "any",
        "tool",
    ):
        return texts.FORCED.refuse(pointer="/tool_choice")
    cached = sum(1 for _ in _cached(body))
    if cached > _MOST_CACHED:
        return texts.CACHED.refuse(found=cached)
    for index in range(len(reader.entries)):
        if refusal := _refuse_message(reader, index):
            return refusal
    return None


def _cached(value: Json) -> Iterator[Json]:
    """Every `cache_control`, but not in what tools are called with."""
    if isinstance(value, list):
        for item in value:
            yield from _cached(item)
    elif isinstance(value, dict):
        for key, member in value.items():
            if key == _CACHE and isinstance(member, dict):
                yield member
            elif key not in ("input", "input_schema"):
                yield from _cached(member)


def _refuse_system(reader: SentMessages, model: Model | None) -> Refusal | None:
    """System messages: none at the beginning, and none for models before Opus 4.8
    (platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages;
    UKGovernmentBEIS/inspect_ai#4095). A name that tells no version may be newer."""
    found = _VERSION.search(model.name) if model is not None else None
    is_old = found is not None and (int(found[1]), int(found[2] or 0)) < (4, 8)
    for index in range(len(reader.entries) if is_old else 1):
        if index < len(reader.entries) and reader.role(index) == "system":
            return texts.SYSTEM_ROLE.refuse(pointer=f"/messages/{index}/role")
    return None


def _refuse_message(reader: SentMessages, index: int) -> Refusal | None:
    entry, at = reader.entries[index], f"/messages/{index}"
    # Claude Code, asking for the beta per-turn-control, sets the effort there.
    of_system = {"output_config"} if reader.role(index) == "system" else set()
    for key in entry:
        if key not in {"role", "content"} | of_system:
            return texts.EXTRA.refuse(
                pointer=f"{at}/{key}", position=index, place="", field=key
            )
    is_prefill = index == len(reader.entries) - 1 and reader.role(index) == "assistant"
    if not reader.blocks[index] and not is_prefill:
        return texts.EMPTY_MESSAGE.refuse(pointer=f"{at}/content", position=index)
    for block in reader.blocks[index]:
        if refusal := _refuse_block(block):
            return refusal
    return None


def _refuse_block(block: SentBlock) -> Refusal | None:
    kind, fields = block.kind, block.fields
    if kind == "text" and not fields.get("text"):
        return texts.EMPTY_TEXT.refuse(pointer=block.pointer)
    needed = ("thinking", "signature") if kind == THINKING else ()
    for name in ("data",) if kind == REDACTED else needed:
        if not isinstance(fields.get(name), str):
            return texts.UNSIGNED.refuse(
                pointer=block.pointer,
                position=block.message,
                part=block.number,
                kind=kind,
                field=name,
            )
    known = _FIELDS.get(kind)
    cacheable = set() if kind in _SECRET else {_CACHE}
    for key in fields:
        if known is not None and key not in known | cacheable | {"type"}:
            return texts.EXTRA.refuse(
                pointer=f"{block.pointer}/{key}",
                position=block.message,
                place=f".content.{block.number}.{kind}",
                field=key,
            )
    return None


# --- Calls and results ----------------------------------------------------------------


def _refuse_pairs(reader: SentMessages) -> Refusal | None:
    """Every call is answered in the next message, before anything else there, and no
    text stands behind it. Where no user speaks first, the service counts as if one did
    (a recorded answer, see `texts.anthropic.UNPAIRED`)."""
    shift = int(bool(reader.entries) and reader.role(0) == "assistant")
    for index, blocks in enumerate(reader.blocks):
        called = [as_text(b.fields.get("id")) for b in reader.of(index, "tool_use")]
        after = reader.blocks[index + 1] if index + 1 < len(reader.blocks) else []
        answered = _answered(after)
        missing = [call_id for call_id in called if call_id not in answered]
        if called and blocks[-1].kind == "text":
            missing = called
        is_last = index + 1 == len(reader.blocks)
        if reader.role(index) == "assistant" and missing and not is_last:
            return texts.UNPAIRED.refuse(
                pointer=f"/messages/{index}",
                position=index + shift,
                ids=", ".join(missing),
            )
        before = reader.blocks[index - 1] if index else []
        asked = {as_text(b.fields.get("id")) for b in before if b.kind == "tool_use"}
        for block in blocks:
            call_id = as_text(block.fields.get("tool_use_id"))
            if block.kind == "tool_result" and call_id not in asked:
                return texts.UNCALLED.refuse(
                    pointer=f"{block.pointer}/tool_use_id",
                    position=index,
                    part=block.number,
                    ids=as_text(call_id),
                )
    return None


def _answered(blocks: Sequence[SentBlock]) -> set[str]:
    """Ids of the results that stand at the beginning of a message."""
    found: set[str] = set()
    for block in blocks:
        if block.kind != "tool_result":
            break
        found.add(as_text(block.fields.get("tool_use_id")))
    return found


# --- Thinking -------------------------------------------------------------------------


def _refuse_thinking(reader: SentMessages, thinking: Thinking) -> Refusal | None:
    last = len(reader.entries) - 1
    if not thinking.mode:
        if last >= 0 and reader.role(last) == "assistant":
            for block in reader.blocks[last]:
                if block.kind in _SECRET:
                    return _at(texts.THOUGHT_OFF, block)
        return None
    if thinking.mode != "enabled":
        return None
    for index in range(reader.turn, len(reader.entries)):
        if reader.role(index) == "assistant" and reader.of(index, "tool_use"):
            first = reader.blocks[index][0]
            if first.kind not in _SECRET:
                return texts.UNTHOUGHT.refuse(
                    pointer=first.pointer, position=index, found=first.kind
                )
            return None
    return None


def _at(text: ErrorText, block: SentBlock) -> Refusal:
    return text.refuse(pointer=block.pointer, position=block.message, part=block.number)


@dataclass(slots=True, kw_only=True)
class Verifier:
    """Signatures and sealed blocks against what they were minted for."""

    reader: SentMessages
    keyring: Keyring
    origin: SealOwner
    body: dict[str, Json]
    drops: bool
    """Whether the request has blocks of another conversation left out."""

    def judgements(self) -> list[SignatureJudgement]:
        """Every block, refused or not."""
        return [
            seen.judgement(
                block.secret,
                block.secret_pointer,
                block.kind,
                note=seen.note or ("" if fits else "the text was altered"),
            )
            for block in self.reader.thoughts()
            if block.secret
            for seen, fits in [self._look(block)]
        ]

    def refusal(self) -> Refusal | None:
        """The first block that does not verify: ANT-1; ANT-3 where the value is good
        and what stands beside it in the latest message is not."""
        latest = self.reader.last_assistant()
        for block in self.reader.thoughts():
            seen, fits = self._look(block)
            if seen.standing is Standing.GENUINE and fits:
                continue
            is_own = seen.standing is Standing.GENUINE
            if is_own and not block.fields.get(THINKING):
                return _at(texts.TEXTLESS, block)
            if block.message == latest and is_own:
                return _at(texts.MODIFIED, block)
            text = texts.SIGNATURE if block.kind == THINKING else texts.SEALED
            return _at(text, block)
        return None

    def refuse_unbound(self, model: str) -> Refusal | None:
        """The first block that was made in another conversation: ANT-6."""
        for block, change in () if self.drops else self._unbound(model):
            found = texts.BOUND_TO_SYSTEM if change == "system" else ""
            return texts.BOUND.refuse(
                pointer=block.pointer,
                position=block.message,
                part=block.number,
                found=found,
            )
        return None

    def dropped(self, model: str) -> list[SentBlock]:
        """Blocks that the model does not get to see."""
        return [block for block, _ in self._unbound(model)] if self.drops else []

    def _unbound(self, model: str) -> Iterator[tuple[SentBlock, str]]:
        """Blocks of another conversation, and what is another in this one."""
        for block in self.reader.thoughts() if binds(model) else ():
            seen, _ = self._look(block)
            before = Before.read(seen.minted_for.before) if seen.minted_for else None
            if before is not None:
                change = before.change(Before.of(self.body, block.message))
                if change:
                    yield block, change

    def _look(self, block: SentBlock) -> tuple[Recognition, bool]:
        """What the keyring knows, and whether the text is the one that was signed. What
        was sealed is no signature, and the other way round."""
        is_sealed = block.kind == REDACTED
        text = None if is_sealed else as_text(block.fields.get(THINKING))
        found = Anchor(kind="thought", name=REDACTED if is_sealed else "", text=text)
        seen = self.keyring.recognise(block.secret, self.origin, found)
        told = seen.minted_for
        if told is not None and told.kind and (told.name == REDACTED) != is_sealed:
            return Recognition(standing=Standing.FOREIGN, note="another kind"), True
        fits = not seen.text_digest or text is None or seen.text_digest == digest(text)
        return seen, fits
