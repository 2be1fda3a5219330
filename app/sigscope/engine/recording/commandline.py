"""A client's command line: which of its words is the client.

`env A=b npx -y @openai/codex exec` starts codex; behind that word stand its arguments,
and `A=b` is in its surroundings. What stands before a client, and how it is written, is
data: the launchers of `clients.toml`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from os import path
from pathlib import Path, PurePath

from sigscope.records import dataclass

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PACKAGE = re.compile(r"(?:npm:)?((?:@[^/@\s]+/)?[^/@=\[<>~!\s]+)")
_SCRIPT = frozenset({".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".exe", ".cmd"})
_HEIGHT = 5
"""How many folders above a script its package.json is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launcher:
    """A program whose arguments name another program."""

    program: str
    """Without the digits of a version: `python` is also python3.11."""
    subcommands: tuple[str, ...] = ()
    """One of them comes first: "run" of `uv`, "tool run" too. Empty for none."""
    is_launcher_alone: bool = True
    """Whether it starts programs without any of its subcommands, too."""
    valued: tuple[str, ...] = ()
    """Options that take the next word."""
    operands: int = 0
    """How many words of its own stand before the program."""
    assigns: bool = False
    """Whether `NAME=value` may stand before the program, as with `env`; it can take
    away variables too."""
    module: tuple[str, ...] = ()
    """Options whose word is the program, by the name of its module."""
    line: tuple[str, ...] = ()
    """Options whose word is a whole command line."""
    code: tuple[str, ...] = ()
    """Options whose word is a program's text: nobody else is started."""
    note: str = ""
    """What the user should know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """The words of a command, and the client among them."""

    words: tuple[str, ...]
    at: int
    """The index of the client's word."""
    client: str
    """Its name, for people."""
    names: frozenset[str]
    """What the client may be called: its file, its package, its module."""
    assigned: Mapping[str, str] = field(default_factory=dict)
    """What `env` sets for it."""
    variables_at: int | None = None
    """Where more variables have to be written, as `env` might take ours away; None
    where it inherits them."""
    is_quoted: bool = False
    """Whether it stands inside a shell's string: no argument can be put behind it."""
    notes: tuple[str, ...] = ()

    def with_arguments(
        self, arguments: Sequence[str], variables: Mapping[str, str]
    ) -> list[str]:
        """The words with more arguments behind the client, and, where it does not
        inherit them, variables before it."""
        words = list(self.words)
        if not self.is_quoted:
            words[self.at + 1 : self.at + 1] = arguments
        if self.variables_at is not None:
            added = [f"{name}={value}" for name, value in variables.items()]
            words[self.variables_at : self.variables_at] = added
        return words


def read_command(
    words: Sequence[str], launchers: Sequence[Launcher], *, known: frozenset[str]
) -> CommandLine:
    """Find the client in a command line. `known`: names to look for in a shell's
    string, where nothing else tells a program from its arguments."""
    reader = _Reader(words, {each.program: each for each in launchers}, known)
    return reader.read()


class _Reader:
    """Walks from word to word until one starts no other program."""

    def __init__(
        self,
        words: Sequence[str],
        launchers: Mapping[str, Launcher],
        known: frozenset[str],
    ) -> None:
        # As a shell takes it: `A=b client`.
        leads = bool(words) and _is_assignment(words[0]) and not path.exists(words[0])
        self._words = ("env", *words) if leads else tuple(words)
        self._launchers = launchers
        self._known = known
        self._assigned: dict[str, str] = {}
        self._variables_at: int | None = None
        self._notes: list[str] = []
        self._at = 0

    def read(self) -> CommandLine:
        while True:
            launcher = self._launcher()
            step = self._step(launcher) if launcher else None
            if launcher is None or step is None:
                return self._line(names(self._words[self._at]))
            if launcher.note:
                self._notes.append(f"{launcher.program}: {launcher.note}")
            shell = PurePath(self._words[self._at]).name
            self._at, kind = step
            word = self._words[self._at]
            if kind == "module":
                return self._line(frozenset({word, word.partition(".")[0]}))
            if kind == "line":
                found = self._in_line(word)
                client = min(found, key=len, default=shell)
                return self._line(found, client=client, is_quoted=True)

    def _launcher(self) -> Launcher | None:
        name = PurePath(self._words[self._at]).name
        return self._launchers.get(name) or self._launchers.get(
            name.rstrip(".0123456789")
        )

    def _line(
        self, found: frozenset[str], *, client: str = "", is_quoted: bool = False
    ) -> CommandLine:
        return CommandLine(
            words=self._words,
            at=self._at,
            client=client or PurePath(self._words[self._at]).name,
            names=found,
            assigned=self._assigned,
            variables_at=self._variables_at,
            is_quoted=is_quoted,
            notes=tuple(self._notes),
        )

    def _step(self, launcher: Launcher) -> tuple[int, str] | None:
        """Where the program is that this one starts, and as what it is written; None
        if it starts none."""
        at = self._at + 1
        if launcher.subcommands:
            behind = self._behind_subcommand(launcher, at)
            if behind is None and not launcher.is_launcher_alone:
                return None
            at = behind or at
        left = launcher.operands
        while at < len(self._words):
            word = self._words[at]
            option = word.partition("=")[0]
            if word == "--":
                at += 1
                return self._found(launcher, at + left)
            if word in launcher.code:
                return None
            if word in launcher.module:
                return self._found(launcher, at + 1, "module")
            if option in launcher.line:
                return self._found(launcher, at + 1, "line") if word == option else None
            if word.startswith("-"):
                at += 2 if word in launcher.valued else 1
            elif launcher.assigns and _is_assignment(word):
                name, _, value = word.partition("=")
                self._assigned[name] = value
                at += 1
            elif left:
                left, at = left - 1, at + 1
            else:
                return self._found(launcher, at)
        return None

    def _behind_subcommand(self, launcher: Launcher, at: int) -> int | None:
        while at < len(self._words) and self._words[at].startswith("-"):
            at += 2 if self._words[at] in launcher.valued else 1
        for text in launcher.subcommands:
            words = tuple(text.split())
            if self._words[at : at + len(words)] == words:
                return at + len(words)
        return None

    def _found(
        self, launcher: Launcher, at: int, kind: str = "program"
    ) -> tuple[int, str] | None:
        if at >= len(self._words):
            return None
        if launcher.assigns and kind == "program":
            self._variables_at = at
        return at, kind

    def _in_line(self, text: str) -> frozenset[str]:
        """Those of the known clients that a shell's string names."""
        try:
            words = shlex.split(text)
        except ValueError:
            words = text.split()
        return frozenset(name for word in words for name in names(word)) & self._known


def names(word: str) -> frozenset[str]:
    """What a program may be called that is started by this word: `/opt/bin/codex`,
    `@openai/codex@1.2`, `node_modules/@openai/codex/bin/codex.js`, `dist/cli.js`."""
    file = PurePath(word)
    found = {file.name}
    if file.suffix in _SCRIPT:
        found.add(file.stem)
    if match := _PACKAGE.fullmatch(word) or _PACKAGE.match(word):
        found.add(match[1])
        found.add(match[1].rpartition("/")[2])
    parts = file.parts
    if "node_modules" in parts:
        last = len(parts) - parts[::-1].index("node_modules")
        size = 2 if parts[last : last + 1] and parts[last].startswith("@") else 1
        found.add("/".join(parts[last : last + size]))
    elif file.suffix in _SCRIPT - {".py"}:
        found.update(_packages(Path(word)))
    return frozenset(found)


def _packages(script: Path) -> Iterator[str]:
    """The package a script of a checkout belongs to, and the programs it is."""
    for folder in list(script.absolute().parents)[:_HEIGHT]:
        file = folder / "package.json"
        try:
            data = json.loads(file.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(data, dict) and isinstance(data.get("name"), str):
            yield data["name"]
            programs = data.get("bin")
            yield from programs if isinstance(programs, dict) else ()
            return


def _is_assignment(word: str) -> bool:
    return bool(_ASSIGNMENT.match(word))
