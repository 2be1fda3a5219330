"""Coding agents from npm: Claude Code, Codex, Copilot CLI, each with its switches.

Each gets a home of its own, no real key, and is told to send nothing but the
conversation: no telemetry, no errors, no search for updates.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.peers import peering

QUESTION = "Read notes.md, then read todo.md and list.md"
NOTES = {"notes.md": "Buy milk.\n", "todo.md": "Bake.\n", "list.md": "Eggs.\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A program, and what it needs to work here."""

    peer: str
    program: str
    dialect: str
    service: str
    """Of `sigscope run --upstream`."""
    base: str
    """Behind the service's address: where its base URL ends."""
    words: tuple[str, ...]
    """Its command line; `{question}` stands for the prompt."""
    again: tuple[str, ...]
    """The same for the next turn of its last conversation."""
    variables: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    """Options that name an address, `{url}`, where no `sigscope run` does."""
    reads: Mapping[str, str] = field(default_factory=dict)
    """Variables that name an address, likewise."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Settings, by their path in the home."""

    def settle(self, folder: Path) -> str:
        """Its home and something to read; its program. Skips where it has none."""
        program = peering.tool(self.peer, self.program)
        for name, text in NOTES.items():
            (folder / name).write_text(text)
        for name, text in self.files.items():
            file = folder / "home" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return program

    def line(self, program: str, question: str, *, again: bool = False) -> list[str]:
        """What starts it."""
        words = self.again if again else self.words
        return [program, *(word.format(question=question) for word in words)]

    def ask(self, folder: Path, url: str, question: str = QUESTION) -> str:
        """Run it to its end, sent to an address; all that it said."""
        program, *words = self.line(self.settle(folder), question)
        base = url + self.base
        pointed = {name: text.format(url=base) for name, text in self.reads.items()}
        done = subprocess.run(
            [program, *(word.replace("{url}", base) for word in self.told), *words],
            env=peering.peer_variables(folder, **{**self.variables, **pointed}),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.stdout + done.stderr


_CLAUDE = (
    *("-p", "{question}", "--model", "claude-sonnet-4-5"),
    *("--tools", "Read,Glob", "--allowedTools", "Read,Glob"),
)
CLAUDE_CODE = Agent(
    peer="claude-code",
    program="claude",
    dialect="anthropic",
    service="anthropic",
    base="",
    words=_CLAUDE,
    again=("-c", *_CLAUDE),
    variables={
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        "MAX_THINKING_TOKENS": "4000",
    },
    reads={"ANTHROPIC_BASE_URL": "{url}"},
)
CLAUDE_CODE_LATER = replace(
    CLAUDE_CODE,
    words=tuple("claude-opus-5-5" if "claude-" in w else w for w in _CLAUDE),
)
"""With a model that takes system messages between the others and thinks as it likes."""
# Its commands are those of the simulator: cat and ls.
_CODEX = (
    *("exec", "--strict-config", "--skip-git-repo-check"),
    *("-s", "danger-full-access", "-m", "gpt-5.2"),
)
CODEX = Agent(
    peer="codex",
    program="codex",
    dialect="responses",
    service="openai",
    base="/v1",
    words=(*_CODEX, "{question}"),
    again=(*_CODEX, "resume", "--last", "{question}"),
    told=("-c", 'openai_base_url="{url}"'),
    variables={"CODEX_API_KEY": peering.KEYS["OPENAI_API_KEY"]},
    files={
        ".codex/config.toml": "check_for_update_on_startup = false\n"
        "[analytics]\nenabled = false\n"
    },
)
_COPILOT = (
    *("--allow-all-tools", "--available-tools", "view", "glob"),
    *("--silent", "--no-color", "-p", "{question}"),
)
COPILOT_CLI = Agent(
    peer="copilot-cli",
    program="copilot",
    dialect="responses",
    service="openai",
    base="/v1",
    words=_COPILOT,
    again=("--continue", *_COPILOT),
    variables={
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_MODEL": "gpt-5.2",
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_API_KEY": peering.KEYS["OPENAI_API_KEY"],
        "COPILOT_PROVIDER_BASE_URL": f"{peering.NOWHERE}/v1",
        "COPILOT_PROVIDER_WIRE_API": "responses",
    },
    reads={"COPILOT_PROVIDER_BASE_URL": "{url}"},
)
