"""What is found in the new part of a body, and moved in the rest, is what a look
through all of it finds."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import replace

import pytest

from sigscope.store.secrets.landmarks import Repeat, survey
from sigscope.store.secrets.masker import Masker

KEY = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"


def pieces(chance: random.Random) -> list[str]:
    """Texts that have every kind of landmark, short and long."""
    key = "".join(chance.sample(KEY, len(KEY)))
    coded = base64.b64encode(f'{{"api_key":"{key}","n":1}} and so on'.encode()).decode()
    rows = "".join(f"{n},ann{n},Tr0ub{n}dor!\n" for n in range(chance.choice([2, 900])))
    return [
        f"id,user,password\n{rows}",
        f"db.example.com:5432:app:me:Tr0ub{key}\n:5432:5433:x",
        f"https%3A%2F%2Fx%2F%3Ftoken%3D{key}" * chance.choice([1, 40]),
        f"<a href=&quot;?api_key={key}&quot;>&#x67;hp_{key}{key}",
        f"{coded} {coded * 3} " + base64.b64encode(chance.randbytes(30_000)).decode(),
        "\\u0067hp_" + key * 2 + "\\/" * 50 + "\x1b[31mAPI_KEY\x1b[0m=" + key,
        f"ghp_{key[:9]}\u200b{key[9:]}{key}" + "—" * 20,
        "x" * chance.randrange(40_000),
        "a line of a file\n" * chance.randrange(2000),
        key,
    ]


def bodies(chance: random.Random) -> list[bytes]:
    """A conversation that grows, and is edited anywhere, also within a landmark."""
    said = [text for _ in range(3) for text in pieces(chance)]
    found = []
    for _ in range(8):
        found.append(json.dumps({"messages": said}, ensure_ascii=False).encode())
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(said))
            text = said[at]
            cut = chance.randrange(len(text) + 1)
            said[at] = (
                text[:cut] + chance.choice(["", "y", ",", text[:50]]) + text[cut:]
            )
        said.append(chance.choice(pieces(chance)))
        if chance.random() < 0.2:
            del said[chance.randrange(len(said))]
    return found


@pytest.mark.parametrize("seed", range(5))
def test_bodies_that_repeat_are_masked_as_if_each_were_new(seed: int) -> None:
    masker = Masker()
    for body in bodies(random.Random(seed)):
        assert masker.mask(body) == Masker().mask(body)


def test_landmarks_of_a_repeat_are_moved_and_not_looked_for() -> None:
    old = b"a line\n" * 10_000
    known = replace(survey(old), names=[(5000, 5008, 0)], runs=[(6000, 6040, 0)])
    new = b"one more\n" + old + b"password,"
    found = survey(new, [Repeat(100, 60_000, 9, known)])
    assert found.names == [(5009, 5017, 0), (len(new) - 9, len(new) - 1, 0)]
    assert found.runs == [(6009, 6049, 0)]


def test_what_is_too_much_to_be_kept_is_looked_for_each_time() -> None:
    many = b"100%25" * 30_000
    assert survey(many).escapes[2] is None
    assert survey(many, [Repeat(10, 9000, 0, survey(many))]).escapes[2] is None


def test_base64_that_goes_on_otherwise_is_looked_at_to_its_new_end() -> None:
    lines = "".join(f"line {n} of what a program printed\n" for n in range(3000))
    texts = [f"{lines}the end\n", f"{lines}export API_TOKEN={KEY}{KEY}\n" * 2]
    masker = Masker()
    for text in texts:
        coded = base64.b64encode(text.encode()).decode()
        body = json.dumps({"messages": ["x " * 40_000, coded]}).encode()
        masked, found = masker.mask(body)
        assert (masked, found) == Masker().mask(body)
    assert found


DENSE = (
    b"%25%3D%2F",
    b"\\u0067\\u0068\\\\u0070",
    b"\\/\\\\/",
    b"&quot;&#x67;&#104;",
    b"me,password,token;secret\n",
    b":5432:5433:x:5434:",
    b"eyJhcGlfa2V5IjoiWnE3",
    "—\u200b".encode(),
)
"""What landmarks are made of, without anything between."""


@pytest.mark.parametrize("unit", DENSE)
def test_a_stretch_may_begin_and_end_within_a_landmark(unit: bytes) -> None:
    margin = 600  # more than decides about any of them
    old = unit * (4000 // len(unit))
    source = survey(old)
    for before, behind in ((b"", b""), (b"new ", b" new"), (unit[:1], unit[:-1])):
        new = before + old + behind
        whole = survey(new)
        for cut in range(len(unit)):
            start = len(before) + margin + cut
            end = len(before) + len(old) - margin + cut
            found = survey(new, [Repeat(start, end, len(before), source)])
            assert found == whole, (before, cut)
