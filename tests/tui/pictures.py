"""Makes the pictures of the README: `python -m tests.tui.pictures [FOLDER]`.

Each one is what the application draws after some keys, as SVG; and as PNG where
`rsvg-convert` is installed.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.tui.driving import MISSING, opened

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
    size: tuple[int, int] = (160, 44)
    theme: str = "sigscope-dark"
    keys: Sequence[str] = ()


PROOF = ("F", "s", "6", "g", "f", "s", "f", "j", "f", "s", "F", "g", "j", "4")
"""Both fixes work; neither does without the other."""

PICTURES = (
    Picture(name="debugger", session=MISSING, keys=("4",)),
    Picture(name="confirmed", session=MISSING, keys=PROOF),
    Picture(
        name="confirmed-light",
        session=MISSING,
        theme="sigscope-light",
        keys=PROOF,
    ),
    Picture(name="diff", session=MISSING, size=(120, 36), keys=("F", "4", "d")),
    Picture(name="small", session=MISSING, size=(80, 24)),
    Picture(name="sessions", session=None, size=(120, 36)),
)


async def draw(picture: Picture) -> str:
    """The picture as SVG."""
    async with opened(
        picture.session, size=picture.size, theme=picture.theme
    ) as driver:
        if picture.session is None:
            await driver.until(lambda: "litellm" in driver.text)
        await driver.press(*picture.keys)
        await driver.pilot.pause(0.1)
        title = f"sigscope {picture.session or ''}".strip()
        return mended(driver.app.export_screenshot(title=title))


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


def main(folder: Path) -> None:
    """Make them all."""
    folder.mkdir(parents=True, exist_ok=True)
    convert = shutil.which("rsvg-convert")
    with tempfile.TemporaryDirectory() as own:
        for kind in ("DATA", "CONFIG", "STATE"):
            os.environ[f"SIGSCOPE_{kind}_DIR"] = f"{own}/{kind}"
        for picture in PICTURES:
            target = folder / f"{picture.name}.svg"
            target.write_text(asyncio.run(draw(picture)), encoding="utf-8")
            _tell(target)
            if convert:
                png = target.with_suffix(".png")
                size = str(picture.size[0] * 10)
                subprocess.run([convert, "-w", size, "-o", png, target], check=True)
                _tell(png)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
