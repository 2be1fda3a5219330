"""Sources as strangers can follow them.

Code names the source of a fact by a section of the notes it was written from
("dialects.md 4(d) CPC-2; seed 000"). Those notes are not public; what they rest on is:
documentation, source code, issues, recordings. `cite` says that instead:

    >>> cite("dialects.md 6(c), 6(d) LLM-3 [source code]")
    'BerriAI/litellm (…/transformation.py), …; sigscope explain LLM-3 [source code]'

The tags of confidence stay: [docs], [source code], [real traffic], [issue report],
[inferred].
"""

from __future__ import annotations

import re

_GOOGLE = "ai.google.dev/gemini-api/docs/thought-signatures"
_VERTEX = "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
_OPENROUTER = "openrouter.ai/docs/guides/best-practices/reasoning-tokens"
_ZED_NOTES = "Zed's notes on thought signatures"
_ZOO_NOTES = "Zoo-Code's notes on its LiteLLM provider"

SECTIONS = {
    "0": "the meaning of the fates",
    "1": f"{_GOOGLE}, {_VERTEX}",
    "1(e)": "pydantic-ai, vscode-copilot-chat, Roo-Code, gemini-cli, CLIProxyAPI",
    "1(f)": f"{_GOOGLE}, {_VERTEX}",
    "2": "ai.google.dev/gemini-api/docs/openai",
    "3": f"{_OPENROUTER}, OpenRouterTeam/ai-sdk-provider",
    "3(c)": _OPENROUTER,
    "3(e)": _ZED_NOTES,
    "3(f)": f"{_OPENROUTER}, Roo-Code",
    "4": "vscode-copilot-chat, codecompanion.nvim PR #2419, zed #43024",
    "4(f)": "",
    "5": "platform.openai.com/docs/guides/reasoning",
    "6": "BerriAI/litellm (llms/vertex_ai/gemini/transformation.py)",
    "6(d)": "litellm #16893, #22598, #42201, #49969",
    "6(e)": f"Roo-Code, {_ZOO_NOTES}",
    "6(g)": _ZOO_NOTES,
    "7": "docs.claude.com/en/docs/build-with-claude/extended-thinking",
    "8": "docs of the providers",
    "9": "the bytes of public recordings",
    "13": "",
}
"""What each section of the notes rests on; without a letter: all of it."""

BUGS = {
    1: "openai-python #2758, langchain #34056, ruby_llm #588",
    2: "microsoft/vscode #279676",
    3: "janhq/jan #7009",
    4: "cline #8214",
    5: "zed #43024",
    10: "googleapis/js-genai #1275, pipecat PR #3420",
    11: "adk-go #764, #788, adk-js PR #268",
    12: "trpc-agent-go PR #1894",
    13: "vscode-copilot-chat",
    14: "Roo-Code (gemini.ts)",
    15: "CopilotKit #2191, codecompanion.nvim PR #2419",
    18: "obsidian-gemini PR #230",
    20: "agno PR #5802",
    21: "codecompanion.nvim",
    24: "BerriAI/litellm (streaming_chunk_builder_utils.py)",
    25: "langchainjs #10105",
    28: "openclaw PR #82995",
    29: "Antigravity-Manager #3337",
    34: "BerriAI/litellm 1.90",
    37: "OpenRouterTeam/ai-sdk-provider #491",
    43: "copilot-api #73, #166, pi #1502",
    44: "pydantic-ai #3881",
    45: "python-genai #2105",
    46: "gemini-cli #8003, ruby_llm #521",
    47: "weave-os/router PR #811",
    48: "bifrost PR #1018, #2226",
    50: "litellm #37851, #38333",
}
"""Where a bug that was seen in the wild was reported, by its number in the notes."""

DISPUTES = {
    1: "contested: zed #43024 against opencode #4468, #5346, #8900",
    2: "contested: aadishv/vscre against vscode-copilot-chat PR #2178",
    5: f"contested: {_ZED_NOTES} against recordings",
    6: "not proven alone: two things were mended at once",
    8: "contested: langchain-google #1570, go-genai #711 against recordings",
    9: "contested: Google's pages do not agree",
    10: "contested: one report",
    11: "clients differ",
}
"""What speaks against what, by its number in the notes."""

SEEDS = {
    "000": _ZED_NOTES,
    "001": _ZED_NOTES,
    "002": "github.com/aadishv/vscre",
    "003": _ZOO_NOTES,
}

_TAG = re.compile(r"\s*\[([^\]]+)\]")
_SECTION = re.compile(
    r"(?:dialects\.md )?(?P<number>\d+)(?P<letter>\([a-h]\))?(?:\.(?P<item>\d+))?"
    r"(?: bugs? (?P<bugs>\d+(?: and \d+)*))?(?: \d+)?(?=\W|$)[ :]*(?P<rest>.*)"
)
_SEEDS = re.compile(r"seeds? (\d{3})(.*)")
_RULE = re.compile(r"[A-Z]{3}-\d+")
_OWN = re.compile(r"[A-Z]{3}-\d+|Merging|\"[^\"]*\"|recoded|altered|moved|invented")


def cite(source: str, *, of_rule: str = "") -> str:
    """A source in public words. Where the notes know a rule's code, its manual page is
    named, but not in the page `of_rule` itself."""
    tags = [_tag(found) for found in _TAG.findall(source)]
    cited: dict[str, None] = {}
    rules: dict[str, None] = {}
    for piece in re.split(r"\s*[;,]\s*(?![^(]*\))", _TAG.sub("", source).rstrip(" .")):
        for found in _cite_piece(piece):
            cited[found] = None
        for rule in _RULE.findall(piece):
            if rule != of_rule and rule[:3] in ("CPC", "ORT", "LLM", "GEM"):
                rules[f"sigscope explain {rule}"] = None
    told = ", ".join(filter(None, dict.fromkeys(_apart(cited))))
    told = "; ".join(filter(None, (told, *rules)))
    return " ".join(filter(None, (told, *(f"[{tag}]" for tag in tags))))


def _apart(cited: dict[str, None]) -> list[str]:
    """Each work once: sections share what they rest on."""
    return [part for text in cited for part in re.split(r", (?!#)", text)]


def _tag(text: str) -> str:
    """A tag without what means nothing to strangers."""
    head, colon, rest = text.partition(":")
    return re.sub(r"\bseeds?( \d{3})?\b", "client's notes", head) + colon + rest


def _cite_piece(piece: str) -> list[str]:
    """What one reference among several says."""
    seed = _SEEDS.fullmatch(piece)
    if seed:
        return [SEEDS.get(seed[1], "")]
    if re.fullmatch(r"\d{3}", piece):  # "seeds 000, 001"
        return [SEEDS.get(piece, "")]
    found = _SECTION.fullmatch(piece)
    if found is None:
        return [_words(piece)]
    number, letter, item = found["number"], found["letter"] or "", found["item"]
    rest = _OWN.sub("", found["rest"]).strip(" :")
    if number == "11":
        bugs = [item] if item else re.findall(r"\d+", found["bugs"] or "")
        return [*(BUGS.get(int(bug), "") for bug in bugs), _words(rest)]
    if number == "12":
        return [DISPUTES.get(int(item), "") if item else "not certain", _words(rest)]
    known = SECTIONS.get(f"{number}{letter}", SECTIONS.get(number, ""))
    return [known, _words(rest)]


def _words(text: str) -> str:
    """What stands beside the references, without what is about the notes."""
    text = re.sub(r"seed (\d{3})", lambda s: SEEDS.get(s[1], ""), text.strip())
    text = re.sub(r":? *\b\d+\([a-h]\)$", "", text)
    about = ("attempts", "final fix", "current status", "executed", "Root Cause",
             "Replay", "The Critical Gap", "safe superset", "contested")  # fmt: skip
    if (
        text in about
        or _RULE.fullmatch(text)
        or re.fullmatch(r"(next steps|Option|attempt) \w+", text)
    ):
        return ""
    return text
