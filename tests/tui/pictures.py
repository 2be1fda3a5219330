"""Makes the pictures of the README: `python -m tests.tui.pictures [FOLDER]`.

Each one is what the application draws after some keys, as SVG. With `--all` more of
them are made, for looking at: screens in all sizes, in three themes; with
`--only=PATTERN` some of those.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.tui.driving import EMPTY_LIST, MISSING, opened
from tests.tui.failurepicture import draw_failure

FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
"""A picture may load no font of its own."""
CELL = 12.2
"""Width of a character in the pictures that Textual draws."""
BLANK = "&#160;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture."""

    name: str
    session: str | None
    """Name of a bundled session, or of one of `FILES`; None: the list of sessions."""
    size: tuple[int, int] = (160, 44)
    theme: str = "sigscope-dark"
    keys: Sequence[str] = ()
    """What is pressed; text after a quote is typed."""


WITH_FINAL_FIX = ("D", "c", "G", "enter", "/", "'final-fix", "enter", "enter")
"""Compare, with another session, and which; the cursor is on its first step."""

PICTURES = (
    Picture(name="debugger", session=MISSING, keys=("4",)),
    Picture(
        name="step-through",
        session="zed-openrouter-fixed",
        size=(160, 38),
        keys=("1", "g", "P", "n"),
    ),
    Picture(name="timeline", session="zoo-litellm-dummy", keys=("T",)),
    Picture(
        name="paths", session="zoo-litellm-message-echo", size=(120, 36), keys=("I",)
    ),
    Picture(
        name="compare",
        session="zed-copilot-attempt-1",
        size=(140, 28),
        keys=(*WITH_FINAL_FIX, "j", "enter", "m", "n"),
    ),
)

SIZES = ((80, 24), (100, 30), (120, 36), (160, 44))
THEMES = ("sigscope-dark", "sigscope-light", "ansi-16")
LOOKED_AT = (
    *PICTURES,
    Picture(name="sessions", session=None),
    Picture(name="own", session=EMPTY_LIST, keys=("f", "s", "escape", "escape")),
    Picture(name="sessions-found", session=None, keys=("/", "'gemini", "enter")),
    Picture(name="missing", session=MISSING),
    Picture(name="steps", session=MISSING, keys=("1",)),
    Picture(name="signatures", session="gemini-parallel", keys=("2",)),
    Picture(name="gemini", session="gemini-parallel"),
    Picture(name="litellm", session="zoo-litellm-dummy", keys=("6",)),
    Picture(name="response", session=EMPTY_LIST, keys=("{", "4", ">")),
    Picture(name="events", session="zed-openrouter-fixed", keys=("4", ">", ">")),
    Picture(name="raw", session=EMPTY_LIST, keys=("4", ">", ">", ">")),
    Picture(name="diff", session=MISSING, keys=("F", "4", "d")),
    Picture(name="proof", session=MISSING, keys=("F", "s", "6")),
    Picture(name="run-diff", session=EMPTY_LIST, keys=("f", "s", "6", "G", "d")),
    Picture(name="turns", session="zoo-litellm-dummy", keys=("T", "tab")),
    Picture(name="help", session=MISSING, keys=("?",)),
    Picture(name="help-json", session=MISSING, keys=("4", "?")),
    Picture(name="palette", session=MISSING, keys=("ctrl+p",)),
    Picture(name="palette-typed", session=MISSING, keys=("ctrl+p", "'theme")),
    Picture(name="export", session=MISSING, keys=("x",)),
    Picture(name="bisect", session=MISSING, keys=("b",)),
    Picture(name="bisected", session=MISSING, keys=("b", "enter")),
    Picture(name="send-to", session=MISSING, keys=("S",)),
    Picture(name="ready-made", session=MISSING, keys=("t",)),
    Picture(name="edit", session=MISSING, keys=("4", "j", "i")),
    Picture(name="leave", session=MISSING, keys=("f", "q")),
    Picture(name="new", session=None, keys=("c",)),
    Picture(name="open-file", session=None, keys=("o",)),
    Picture(name="no-recording", session="README.md"),
    Picture(name="empty", session="empty.json"),
)
FILES = {"README.md": "# Not a recording\n", "empty.json": ""}
"""What the screens that tell of a file that cannot be read are shown."""


def everything() -> list[Picture]:
    """All that should be looked at when the look has changed."""
    return [
        replace(
            picture,
            name=f"{picture.name}-{theme}-{size[0]}x{size[1]}",
            size=size,
            theme=theme,
        )
        for picture in LOOKED_AT
        for theme in THEMES
        for size in SIZES
    ]


async def draw(picture: Picture) -> str:
    """The picture as SVG."""
    what = _found(picture.session)
    async with opened(what, size=picture.size, theme=picture.theme) as driver:
        if what is None:
            await driver.until(lambda: "Gemini" in driver.text)
        for key in picture.keys:
            if key.startswith("'"):
                await driver.type(key[1:])
            else:
                await driver.press(key)
            await driver.pilot.pause(0.3)  # screens read what they show behind them
        driver.app.notices.hush()
        await driver.pilot.pause()
        title = f"sigscope {picture.session or ''}".rstrip()
        return mended(driver.app.export_screenshot(title=title))


def _found(session: str | None) -> str | Path | None:
    """What is to be opened; files that are no recording are written first."""
    if session not in FILES:
        return session
    path = Path(os.environ["SIGSCOPE_DATA_DIR"]) / session
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES[session], encoding="utf-8")
    return path


def mended(svg: str) -> str:
    """With fonts that are there, and with every run of text where it belongs: some
    renderers drop the blanks that a run begins with."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", FONTS).replace("Fira Code", FONTS)
    return re.sub(rf'x="([\d.]+)"([^>]*)>((?:{BLANK})+)([^<])', _moved, svg)


def _moved(match: re.Match[str]) -> str:
    at, attributes, blanks, text = match.groups()
    count = len(blanks) // len(BLANK)
    length = re.search(r'textLength="([\d.]+)"', attributes)
    if length is not None:
        rest = float(length[1]) - count * CELL
        attributes = attributes.replace(length[0], f'textLength="{rest:.1f}"')
    return f'x="{float(at) + count * CELL:.1f}"{attributes}>{text}'


def _tell(path: Path) -> None:
    sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")


def main(folder: Path, pictures: Sequence[Picture] = PICTURES) -> None:
    """Make them."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        with tempfile.TemporaryDirectory() as own:  # no picture finds another's runs
            for kind in ("DATA", "CONFIG", "STATE"):
                os.environ[f"SIGSCOPE_{kind}_DIR"] = f"{own}/{kind}"
            target = folder / f"{picture.name}.svg"
            target.write_text(asyncio.run(draw(picture)), encoding="utf-8")
        _tell(target)


def draw_terminal(folder: Path) -> None:
    """Make the picture of a test that failed."""
    with tempfile.TemporaryDirectory() as own:
        target = folder / "test-failure.svg"
        target.write_text(mended(draw_failure(Path(own))), encoding="utf-8")
    _tell(target)


def asked_for(words: Sequence[str]) -> tuple[Path, list[Picture]]:
    """Where to draw, and what: `--all`, or what an argument `--only=PATTERN` finds in
    the names of all, such as `^help-sigscope-dark-80`."""
    folder, pictures = Path("docs"), list(PICTURES)
    for word in words:
        if word == "--all":
            pictures = everything()
        elif word.startswith("--only="):
            pattern = re.compile(word.removeprefix("--only="))
            pictures = [one for one in everything() if pattern.search(one.name)]
        else:
            folder = Path(word)
    return folder, pictures


if __name__ == "__main__":
    _folder, _pictures = asked_for(sys.argv[1:])
    main(_folder, _pictures)
    if _pictures == list(PICTURES):
        draw_terminal(_folder)
