"""Words of a shell command line, as bash, zsh and Windows' cmd would split them.

Not `shlex`: it knows neither `$'...'`, which browsers write for every body with a line
end or a quote in it, nor where in the text a command ends.

Source: POSIX 2.2 (quoting), bash manual 3.1.2.4 (ANSI-C quoting); what Chrome's "Copy
as cURL (cmd)" writes, read 2026-11.
"""

from __future__ import annotations

import re
from dataclasses import field

from sigscope.records import dataclass

_ANSI = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_ANSI_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})"
    r"|(.))",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\s'\"\\$;|&<>#`]+")
_ANSI_QUOTED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_SINGLE = re.compile(r"'([^']*)'")
_DOUBLE = re.compile(r'\$?"((?:[^"\\]|\\.)*)"', re.DOTALL)
_IN_DOUBLE = re.compile(r'\\([$`"\\])|\\\r?\n')
_VARIABLE = re.compile(r"\$(?:\w+|\{[^}]*\}|\()|`")
_BLANK = re.compile(r"[ \t]+|\\\r?\n|`\r?\n|\^\r?\n")
_ENDS = frozenset(";|&<>\n\r")
_CARET = re.compile(r"\^(\r?\n\r?\n|\r?\n[ \t]*|.)", re.DOTALL)


@dataclass(slots=True)
class ShellCommand:
    """One simple command."""

    words: list[str] = field(default_factory=list)
    end: int = 0
    """Offset in the text behind its last word."""
    problem: str = ""
    """Why it could not be read to its end: an open quote."""
    has_variables: bool = False
    """Whether the shell would have replaced something; it stands here as written."""


def split(text: str, at: int = 0) -> ShellCommand:
    """The words from an offset up to where the command ends: a line end that is not
    escaped, `;`, `|`, `&`, a redirection."""
    command = ShellCommand(end=at)
    while True:
        blank = _BLANK.match(text, at)
        while blank:
            at = blank.end()
            blank = _BLANK.match(text, at)
        if at >= len(text) or text[at] in _ENDS or text[at] == "#":
            return command
        word, at = _word(text, at, command)
        if command.problem:
            command.end = len(text)
            return command
        command.words.append(word)
        command.end = at


def without_carets(text: str) -> str:
    """A command for Windows' cmd as one for a POSIX shell: `^"` is `"`, `^` before a
    line end goes on, before an empty line it is a line end."""

    def plain(found: re.Match[str]) -> str:
        escaped = found[1]
        if escaped[0] not in "\r\n":
            return escaped
        return "\n" if escaped.count("\n") > 1 else " "

    return _CARET.sub(plain, text)


def _word(text: str, at: int, command: ShellCommand) -> tuple[str, int]:
    """One word, and the offset behind it."""
    pieces: list[str] = []
    while at < len(text) and text[at] not in _ENDS and text[at] not in " \t":
        found = _quoted(text, at, command)
        if found is None:
            kind = {"'": "'", '"': '"'}.get(text[at])
            if kind or text.startswith("$'", at):
                line = text.count("\n", 0, at) + 1
                command.problem = f"the quote that opens in line {line} is never closed"
                return "", at
            if text[at] == "\\":
                if text[at + 1 : at + 3] == "\r\n" or text[at + 1 : at + 2] == "\n":
                    break
                pieces.append(text[at + 1 : at + 2])
                at += 2
                continue
            command.has_variables |= _VARIABLE.match(text, at) is not None
            if _BLANK.match(text, at):
                break
            plain = _PLAIN.match(text, at)
            end = plain.end() if plain else at + 1
            found = text[at:end], end
        pieces.append(found[0])
        at = found[1]
    return "".join(pieces), at


def _quoted(text: str, at: int, command: ShellCommand) -> tuple[str, int] | None:
    """The content of a quotation that begins here, and the offset behind it."""
    match = _ANSI_QUOTED.match(text, at)
    if match:
        return _ANSI_ESCAPE.sub(_ansi, match[1]), match.end()
    match = _SINGLE.match(text, at)
    if match:
        return match[1], match.end()
    match = _DOUBLE.match(text, at)
    if match is None:
        return None
    command.has_variables |= _VARIABLE.search(match[1].replace("\\$", "")) is not None
    return _IN_DOUBLE.sub(lambda m: m[1] or "", match[1]), match.end()


def _ansi(found: re.Match[str]) -> str:
    """What a backslash escape of `$'...'` stands for; bytes that are no character by
    themselves as U+DC80 to U+DCFF."""
    for digits, base in ((found[1], 16), (found[4], 8)):
        if digits is not None:
            byte = int(digits, base) & 0xFF
            return chr(byte) if byte < 0x80 else chr(0xDC00 + byte)
    for digits in (found[2], found[3]):
        if digits is not None:
            code = int(digits, 16)
            return chr(code) if code < 0x110000 else "\ufffd"
    return _ANSI.get(found[5], "\\" + found[5])
