"""A picture of the screen says no key of a file of another tool."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from tests.tui.driving import EMPTY_LIST, opened

from sigscope.cli.main import run
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped
from sigscope.tui.picks import Pick
from sigscope.tui.picture import without_keys
from sigscope.tui.screens.compare import CompareScreen

KEY = "sk-proj-" + "q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3Ue5Io"
SENT = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
COMPARED = "5b2c1d0e-90cb-4d6e-8a47-3e1f7a529f38"


def foreign(folder: Path, said: str) -> Path:
    """A file of another tool: requests sent with `SENT`, whose user says `said`."""
    path = folder / "foreign.har"
    bundled = str(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl")
    assert run(["export", bundled, "--to", "har", "--out", str(path)]) == 0
    told = json.loads(path.read_text())
    for entry in told["log"]["entries"]:
        sent = {"name": "Authorization", "value": f"Bearer {SENT}"}
        entry["request"]["headers"].append(sent)
        body = json.loads(entry["request"]["postData"]["text"])
        body["messages"].insert(0, {"role": "user", "content": said})
        entry["request"]["postData"]["text"] = json.dumps(body)
    path.write_text(json.dumps(told))
    return path


async def test_it_shows_stars_for_keys(tmp_path: Path) -> None:
    """Those that look so, and what a request was sent with."""
    path = foreign(tmp_path, f"{KEY} <&> {SENT}")
    async with opened(path, size=(200, 50)) as driver:
        assert KEY in driver.text
        assert SENT in driver.text
        picture = unescape(re.sub("<[^>]+>", "", driver.app.export_screenshot()))
        other = tmp_path / "other.har"
        other.write_text(path.read_text().replace(SENT, COMPARED))
        right = Pick(document=Document(open_file(other)), step=1)
        left = Pick(document=driver.screen.model.document, step=1)
        await driver.app.push_screen(CompareScreen(Engine(), left, right))
        assert {SENT, COMPARED} <= {*driver.app.sent_with()}
    assert KEY[8:] not in picture
    assert SENT not in picture
    assert "*\xa0<&>" in picture
    assert f"│{'*' * len(SENT)}│" in picture.replace("\xa0", "")


async def test_it_shows_stars_for_keys_that_go_on_in_the_next_row(
    tmp_path: Path,
) -> None:
    """Of a pane beside others, whose rows stand between."""
    words = [f"{'so it is ' * number}{KEY} {SENT}" for number in range(5)]
    path = foreign(tmp_path, "\n\n".join(words))
    for width in (84, 120, 200):
        async with opened(path, size=(width, 60)) as driver:
            whole = driver.text.replace("\xa0", " ")
            picture = unescape(re.sub("<[^>]+>", "", driver.app.export_screenshot()))
        for key in (KEY, SENT):
            pieces = {key[at : at + 12] for at in range(8, len(key) - 12)}
            assert any(piece in whole for piece in pieces)
            assert not any(piece in picture for piece in pieces)


async def test_one_without_keys_stays_as_it_is() -> None:
    async with opened() as driver:
        picture = driver.app.export_screenshot()
    assert without_keys(picture, ()) == picture
