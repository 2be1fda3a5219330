"""Google's own check of `contents`: the GEM rules of docs/wire/gemini.md#rules.

Order: fields that are not base64 (all of them are listed), then one walk in document
order that stops at the first offender, then the pairing of calls and results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from sigscope.records import dataclass
from sigscope.upstreams.simulator.checks.case import Docket, under
from sigscope.upstreams.simulator.contents import (
    Content,
    ContentPart,
    call_ids,
    current_turn,
)
from sigscope.upstreams.simulator.mint.keyring import (
    Keyring,
    Recognition,
    SealOwner,
    digest,
)
from sigscope.upstreams.simulator.mint.shapes import decode
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Refusal,
    SignatureJudgement,
    Standing,
)
from sigscope.upstreams.simulator.texts import google as texts

_SHOWN = 256
"""Characters of a bad value that the error repeats; it is cut off in real ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Google:
    """One of Google's two surfaces, serving one model."""

    model: Model
    surface: str
    origin: SealOwner
    keyring: Keyring
    strict: bool
    demands: bool = True
    """False where a gateway is known not to insist on signatures (CPC-1)."""

    @classmethod
    def behind(cls, docket: Docket, origin: SealOwner) -> Google:
        """The one that a request of this docket comes to."""
        return cls(
            model=docket.model,
            surface=docket.surface,
            origin=origin,
            keyring=docket.keyring,
            strict=docket.config.strict,
        )

    @classmethod
    def hear(
        cls, docket: Docket, contents: Sequence[Content], own: Mapping[str, str]
    ) -> Refusal | None:
        """Put contents on the docket, and what it says of them: `own`: its rule → that
        of the gateway before it."""
        assert docket.origin is not None
        google = cls.behind(docket, docket.origin)
        docket.contents = contents
        if not docket.is_verdict:
            docket.signatures = google.judge(contents)
        refusal = google.refuse(contents)
        return under(refusal, own.get(refusal.rule, refusal.rule)) if refusal else None

    def judge(self, contents: Sequence[Content]) -> list[SignatureJudgement]:
        """Every signature in the contents, refused or not."""
        ids = call_ids(contents)
        return [
            describe(part, self._recognise(part, ids))
            for content in contents
            for part in content.parts
            if part.signature and not part.stamped
        ]

    def refuse(self, contents: Sequence[Content]) -> Refusal | None:
        """What Google would say; None if it would answer."""
        return (
            mistyped(contents)
            or not_base64(contents)
            or next(self._offences(contents), None)
            or _pairing(contents)
        )

    def _recognise(self, part: ContentPart, ids: frozenset[str]) -> Recognition:
        if part.vouched:
            return Recognition(standing=Standing.GENUINE, minted_for=part.anchor)
        return self.keyring.recognise(part.signature, self.origin, part.anchor, ids)

    def _offences(self, contents: Sequence[Content]) -> Iterator[Refusal]:
        turn = current_turn(contents)
        ids = call_ids(contents)
        for index, content in enumerate(contents):
            opens_step = True
            for number, part in enumerate(content.parts):
                current = index >= turn
                if part.signature:
                    offence = self._verify(content, index, part, current, ids)
                elif part.kind == "call" and opens_step and current:
                    offence = self._missing(part, index, content.role)
                else:
                    offence = None
                offence = offence or self._image(content, index, number)
                if offence:
                    yield offence
                if part.kind in ("call", "result"):
                    opens_step = part.kind == "result"

    def _missing(self, part: ContentPart, index: int, role: str) -> Refusal | None:
        if role != "model" or not (self.demands and self.model.demands):
            return None
        if self.model.makes_images and not (self.strict and self._is_studio):
            return None
        text = texts.MISSING_AI_STUDIO if self._is_studio else texts.MISSING_VERTEX
        return text.refuse(pointer=part.pointer, position=index + 1, name=part.name)

    def _verify(
        self,
        content: Content,
        index: int,
        part: ContentPart,
        current: bool,
        ids: frozenset[str],
    ) -> Refusal | None:
        seen = self._recognise(part, ids)
        if seen.standing is Standing.GENUINE:
            return self._thought(part, seen)
        if seen.standing is Standing.BYPASS:
            return self._bypass(content, index, part, seen, current)
        if not self.strict and not (current and self.model.demands):
            return None
        if seen.standing is Standing.MISPLACED:
            if part.kind != "call" or not self.strict:
                return None
            copied = any(
                other is not part and decode(other.signature) == decode(part.signature)
                for other in content.calls
                if other.signature
            )
            return self._unverified(part, "GEM-12" if copied else None)
        foreign = seen.standing is Standing.FOREIGN
        return self._unverified(part, "GEM-14" if foreign else None)

    def _unverified(self, part: ContentPart, rule: str | None) -> Refusal:
        if not self._is_studio:
            text = texts.INVALID_VERTEX
        else:
            text = texts.INVALID if self.model.says_invalid else texts.CORRUPTED
        return text.refuse(pointer=part.signature_pointer or part.pointer, rule=rule)

    def _bypass(
        self,
        content: Content,
        index: int,
        part: ContentPart,
        seen: Recognition,
        current: bool,
    ) -> Refusal | None:
        """Vertex knows one literal of the two, and perhaps not in base64. Bypasses in
        closed turns are recorded with 200 (docs/wire/gemini.md#bypass)."""
        is_call = part.kind == "call" and current
        if self._is_studio or not is_call or seen.bypass == "raw":
            return None
        if seen.bypass == "raw-2" or not self.strict:
            unknown = seen.bypass.endswith("-2")
            first = content.calls[0] is part
            if unknown and first and current:
                return self._missing(part, index, content.role)
            return None
        return self._unverified(part, None)

    def _thought(self, part: ContentPart, seen: Recognition) -> Refusal | None:
        if part.kind != "thought" or not (self.strict and self.model.binds_thoughts):
            return None
        if not seen.text_digest or seen.text_digest == digest(part.text):
            return None
        return texts.INVALID.refuse(pointer=part.pointer, rule="GEM-16")

    def _image(self, content: Content, index: int, number: int) -> Refusal | None:
        if not (self.model.makes_images and self.strict and self._is_studio):
            return None
        part = content.parts[number]
        if content.role != "model" or part.signature:
            return None
        leads = not any(p.kind in ("text", "data") for p in content.parts[:number])
        if part.kind == "data" or (part.kind == "text" and leads):
            return texts.IMAGE_UNSIGNED.refuse(
                pointer=part.pointer,
                kind="Image" if part.kind == "data" else "Text",
                part=number + 1,
                position=index + 1,
            )
        return None

    @property
    def _is_studio(self) -> bool:
        return self.surface == "ai-studio"


def describe(part: ContentPart, seen: Recognition) -> SignatureJudgement:
    """A recognised signature as it is reported."""
    pointer = part.signature_pointer or part.pointer
    return seen.judgement(part.signature, pointer, str(part.anchor))


def mistyped(contents: Sequence[Content]) -> Refusal | None:
    """A signature that is no string at all, as a gateway hands it on."""
    for i, content in enumerate(contents):
        for j, part in enumerate(content.parts):
            if part.mistyped is not None:
                return texts.BAD_TYPE.refuse(
                    pointer=part.signature_pointer,
                    field=f"contents[{i}].parts[{j}].thought_signature",
                    kind="TYPE_BYTES",
                    value=json.dumps(part.mistyped)[:80],
                )
    return None


def not_base64(contents: Sequence[Content]) -> Refusal | None:
    """GEM-6: every signature that does not decode, one line each."""
    bad = [
        (f"contents[{i}].parts[{j}].thought_signature", part)
        for i, content in enumerate(contents)
        for j, part in enumerate(content.parts)
        if part.signature and not part.vouched and decode(part.signature) is None
    ]
    if not bad:
        return None
    lines = [
        (
            field,
            texts.NOT_BASE64.text.format(field=field, value=part.signature[:_SHOWN]),
        )
        for field, part in bad
    ]
    return Refusal(
        message="\n".join(line for _, line in lines),
        rule=texts.NOT_BASE64.rule,
        source=texts.NOT_BASE64.source,
        code=texts.NOT_BASE64.code,
        pointer=bad[0][1].signature_pointer or bad[0][1].pointer,
        violations=tuple(lines),
    )


def _pairing(contents: Sequence[Content]) -> Refusal | None:
    """Calls are answered, all of them, in the content that follows.

    Neighbours of one role count as one content: a second model content with a call
    right after a first one is recorded with 200 (docs/wire/gemini.md#bypass).
    """
    merged: list[Content] = []
    for content in contents:
        role = "model" if content.role == "model" else "user"
        if not merged or merged[-1].role != role:
            merged.append(Content(role=role, pointer=content.pointer))
        merged[-1].parts += content.parts
    for index, content in enumerate(merged):
        before = merged[index - 1] if index else None
        if content.role == "model":
            if content.calls and before is None:
                return texts.CALL_OUT_OF_TURN.refuse(pointer=content.calls[0].pointer)
            continue
        results = [part for part in content.parts if part.kind == "result"]
        asked = before.calls if before else []
        if results and not asked:
            return texts.RESULT_OUT_OF_TURN.refuse(pointer=results[0].pointer)
        if len(results) != len(asked):
            place = (results or asked)[0].pointer
            return texts.COUNT_DIFFERS.refuse(pointer=place)
    return None
