"""Threads of Amp, as `amp threads export` and its folder of threads have them.

    {"v":220,"id":"T-...","created":1772241173221,"title":"...","messages":[
     {"role":"user","messageId":0,"content":[{"type":"text","text":"..."}]},
     {"role":"assistant","messageId":1,"usage":{"model":"claude-..."},"content":[
      {"type":"thinking","thinking":"...","signature":"...","provider":"..."},
      {"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]},
     {"role":"user","messageId":2,"content":[
      {"type":"tool_result","toolUseID":"toolu_1","run":{"status":"done","result":...}}]}]}

Blocks are those of the Messages API but for results, which are spelled otherwise: read
as they stand, every call would lack its result. Of a thread that another model answered
the form is not known: what signs its blocks is listed (`agent_file`).
Source: the threads in git-ai-project/git-ai, tests/fixtures/amp-threads (2026-11).
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.capture import agent_file
from sigscope.capture.base import Imported
from sigscope.capture.retelling import ANTHROPIC, Message, retold
from sigscope.capture.shape import Tree, mapping, number, sequence, text
from sigscope.capture.source import Source
from sigscope.capture.values import epoch_time, json_bytes
from sigscope.dialects import anthropic
from sigscope.errors import InputError
from sigscope.utf8 import to_text

_THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def recognise(source: Source) -> bool:
    """Whether it is a thread, by its id and by what results are called in it."""
    if source.is_folder or source.first != "{" or source.json_error:
        return False
    parts = mapping(source.json)
    blocks = list(_blocks(parts))
    is_thread = text(parts.get("id")).startswith("T-") and bool(blocks)
    if not is_thread or not all("role" in m for m in _messages(parts)):
        return False
    return "v" in parts or any("toolUseID" in block for block in blocks)


def read(source: Source) -> Imported:
    """One exchange: the messages, and the answer they end with; of a thread that others
    than Claude answered, what it holds. Raises InputError."""
    thread = mapping(source.json)
    if not _is_claudes(thread):
        return agent_file.listed(source)
    talk = [each for message in _messages(thread) for each in _told(message)]
    answers = [each for each in talk if each["role"] == "assistant"]
    if not answers:
        raise InputError("the thread holds no answer", path=source.name)
    for each in answers:
        # Amp keeps the signatures of one model when another goes on.
        each["model"] = answers[-1]["model"]
    created = number(thread.get("created"))
    begun = epoch_time(created / 1000) if created is not None else None
    try:
        found = retold(talk, answers[-1], ANTHROPIC, begun, "amp")
    except ValueError as reason:
        told = f"its messages cannot be put together: {reason}"
        raise InputError(told, path=source.name) from None
    return Imported(exchanges=(found,), title=text(thread.get("title")))


def _is_claudes(thread: dict[str, Tree]) -> bool:
    """Amp keeps what others answer in the same blocks, whatever their API has."""
    named = (text(mapping(m.get("usage")).get("model")) for m in _messages(thread))
    providers = {text(b["provider"]) for b in _blocks(thread) if "provider" in b}
    are_claude = all("claude" in model for model in named if model)
    return are_claude and providers <= {anthropic.ANTHROPIC.name}


def _messages(thread: dict[str, Tree]) -> list[Message]:
    return [mapping(each) for each in sequence(thread.get("messages"))]


def _blocks(thread: dict[str, Tree]) -> Iterator[dict[str, Tree]]:
    for message in _messages(thread):
        yield from map(mapping, sequence(message.get("content")))


def _told(message: Message) -> Iterator[Message]:
    """A message as those of `retelling`; each result is one of its own."""
    blocks = [mapping(block) for block in sequence(message.get("content"))]
    is_answer = message.get("role") == "assistant"
    said = []
    for block in blocks:
        if block.get("type") == "tool_result":
            yield _result(block)
        else:
            said.append(_block(block))
    if is_answer:
        model = text(mapping(message.get("usage")).get("model"))
        yield {"role": "assistant", "model": model, "content": said}
    elif said:
        yield {"role": "user", "content": said}


def _result(block: dict[str, Tree]) -> Message:
    run = mapping(block.get("run"))
    result = run.get("result", run.get("error"))
    said = result if isinstance(result, str) else to_text(json_bytes(result))
    return {
        "role": "toolResult",
        "toolCallId": block.get("toolUseID"),
        "content": [{"type": "text", "text": said}],
        "isError": run.get("status") == "error",
    }


def _block(block: dict[str, Tree]) -> Tree:
    kind = block.get("type")
    if kind == "tool_use":
        kept = {"id": block.get("id"), "name": block.get("name")}
        return {"type": "toolCall", **kept, "arguments": block.get("input")}
    if kind in _THOUGHTS:
        return {
            "type": "thinking",
            "redacted": kind != "thinking",
            "thinking": block.get("thinking"),
            "thinkingSignature": block.get("signature", block.get("data")),
        }
    return block
