"""The exact error texts of the real services, with rule ids and sources.

Texts are quoted, not written: change one only together with its source. `{name}`
marks what the service fills in. Rule ids are those of docs/wire. A service has its
texts in a module here or in its own file; what several say is here or in `vendors`.
"""

from __future__ import annotations

from types import ModuleType

from sigscope.records import dataclass
from sigscope.upstreams.simulator.records import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorText:
    """One text as a service prints it."""

    text: str
    source: str
    """Where it was seen. Tags: [docs], [issue report], [source code], [inferred]."""
    rule: str = ""
    """Rule id; empty for manners that have no id."""
    status: int = 400
    code: str = ""
    """The service's own code beside the text."""

    def refuse(
        self,
        *,
        pointer: str = "",
        position: int | None = None,
        rule: str | None = None,
        **fill: object,
    ) -> Refusal:
        """The refusal this text makes, filled in."""
        return Refusal(
            message=self.text.format(position=position, **fill),
            rule=self.rule if rule is None else rule,
            source=self.source,
            status=self.status,
            code=self.code,
            pointer=pointer,
            position=position,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidRequest(ErrorText):
    """One under the code that OpenAI, and others after it, give most of theirs."""

    code: str = "invalid_request_error"


def rules_of(*modules: ModuleType) -> frozenset[str]:
    """The rules that the texts of these modules are refused under."""
    texts = (value for module in modules for value in vars(module).values())
    return frozenset(t.rule for t in texts if isinstance(t, ErrorText) and t.rule)


# Plain HTTP manners of chat completions services

NO_MESSAGES = ErrorText(
    text='Input required: specify "prompt" or "messages"',
    source="[issue report: OpenRouter]",
)
BAD_JSON = ErrorText(
    text="Invalid JSON in request body: {problem}",
    source="[inferred]",
)
CALL_WITHOUT_RESULT = InvalidRequest(
    text=(
        "An assistant message with 'tool_calls' must be followed by tool messages "
        "responding to each 'tool_call_id'. (insufficient tool messages following "
        "tool_calls message)"
    ),
    source="langgenius/dify#32222, bytedance/deer-flow#2706 [issue report]",
)
RESULT_WITHOUT_CALL = InvalidRequest(
    text=(
        "Messages with role 'tool' must be a response to a preceding message with "
        "'tool_calls'"
    ),
    source="FoundationAgents/OpenManus#744, qwersyk/Newelle#425 [issue report]",
)
