"""Policies from files: shipped ones, the user's own, broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.converse.loader import load_policy, policy_names, shipped_policies
from sigscope.errors import InputError, UsageError


def test_every_shipped_policy_loads_and_says_who_it_is() -> None:
    policies = shipped_policies()
    assert [p.name for p in policies] == list(policy_names())
    for policy in policies:
        assert policy.about, policy.name
        assert policy.source, policy.name
        assert len(policy.about) < 90, policy.name
        assert not policy.about.endswith("."), policy.name


def test_every_dialect_has_a_faithful_client_that_names_it() -> None:
    for dialect in ("copilot-chat", "openrouter", "litellm", "gemini"):
        assert load_policy(f"faithful-{dialect}").dialects == (dialect,)


def test_a_file_of_ones_own_takes_its_name_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('about = "x"\ndialects = ["gemini"]\n')
    assert load_policy(str(path)).name == "mine"


def test_extends_lays_a_policy_over_another(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "vscode-copilot"\nabout = "mine"\n'
        '[read]\nkeep = "first"\n[client.headers]\nx-own = "1"\n'
    )
    mine, ground = load_policy(str(path)), load_policy("vscode-copilot")
    assert mine.about == "mine"
    assert mine.read.keep == "first"
    assert mine.read.signatures == ground.read.signatures
    assert mine.client.headers == {**ground.client.headers, "x-own": "1"}
    assert mine.name == "mine"


def test_extends_finds_a_neighbouring_file_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "ground.toml").write_text('about = "g"\ndialects = ["gemini"]\n')
    path = tmp_path / "mine.toml"
    path.write_text('extends = "./ground.toml"\n[shape]\nparallel = "split"\n')
    mine = load_policy(str(path))
    assert (mine.about, mine.shape.parallel) == ("g", "split")


def test_a_list_of_places_is_replaced_not_lengthened(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "faithful-litellm"\nwrite = []\n')
    assert load_policy(str(path)).write == ()


def test_an_unknown_name_is_answered_with_the_likely_ones() -> None:
    with pytest.raises(UsageError, match=r"did you mean .*zed-copilot-attempt-2"):
        load_policy("zed-copilot-atempt-2")


def test_an_unknown_name_unlike_any_other_is_answered_with_the_way_to_list() -> None:
    with pytest.raises(UsageError, match="converse --list"):
        load_policy("qqqqqqqq")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("about = ", "is not TOML"),
        ('about = "x"\n', "'dialects' is missing"),
        ('about = "x"\ndialects = []\n', "dialects: names no API"),
        ('about = "x"\ndialects = ["copilot"]\n', "did you mean 'copilot-chat'"),
        ('extends = 3\nabout = "x"\n', "`extends` must be the name"),
        ('extends = "./mine.toml"\n', "goes round in a circle"),
        ('extends = "faithful-gemini"\n[shpae]\n', "did you mean 'shape'?"),
        (
            'extends = "faithful-gemini"\n[[write]]\non = "same"\n',
            "write 1: has no path",
        ),
        (
            'extends = "faithful-litellm"\n[[write]]\non = "next-call"\npath = "x"\n',
            "'next-call' is for gemini alone",
        ),
        (
            'extends = "faithful-gemini"\n'
            '[[write]]\non = "same"\npath = "x"\nform = "list"\n',
            "gemini's signatures are plain values",
        ),
        ('extends = "faithful-gemini"\n[bypass]\ncalls = "all"\n', "no path to put"),
        (
            'extends = "faithful-gemini"\n[shape]\nstored = "split"\n',
            "lists of parts",
        ),
        (
            'extends = "faithful-litellm"\n[shape]\nmerged = true\n',
            "nothing to merge",
        ),
        ('extends = "faithful-gemini"\n[history]\nmessages = -1\n', "-1 is negative"),
        ('extends = "faithful-gemini"\n[value]\nlength = -2\n', "-2 is negative"),
    ],
)
def test_a_mistake_is_told_with_file_and_field(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_policy(str(path))
    assert said in str(caught.value)
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('about = "x"\ndialects = ["gemini"]\n\n[shpae]\n', "mine.toml:4: shpae: "),
        (
            'extends = "faithful-gemini"\n[[write]]\non = "same"\npath = "x"\n'
            '# another\n[[write]]\non = "smae"\n',
            "mine.toml:7: write 2.on: ",
        ),
        (
            'extends = "faithful-gemini"\n[[write]]\non = "same"\npath = "x"\n'
            '[[write]]\non = "same"\n',
            "mine.toml:5: write 2: has no path",
        ),
        (
            'about = "x"\ndialects = [\n  "gemini",\n  "gemeni",\n]\n',
            "mine.toml:2: dialects 2: 'gemeni'",
        ),
        ('about = "x"\n\nextends = 3\n', "mine.toml:3: `extends` must be"),
        ('about = "x"\n\nextends = "faithfull"\n', "mine.toml:3: extends: there is"),
        ('\nextends = "./mine.toml"\n', "mine.toml:2: `extends` goes round"),
        ('about = "x"\n[read]\nkeep = \n', "mine.toml:3: it is not TOML"),
        ('extends = "./ground.toml"\nabout = "x"\n', "ground.toml:3: value.length: "),
        (
            'extends = "./ground.toml"\n[value]\nlength = -3\n',
            "mine.toml:3: value.length: -3 is",
        ),
    ],
)
def test_a_mistake_is_told_with_the_line_that_makes_it(
    tmp_path: Path, text: str, place: str
) -> None:
    ground = 'extends = "faithful-gemini"\n[value]\nlength = -2\n'
    (tmp_path / "ground.toml").write_text(ground)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_policy(str(path))
    assert place in str(caught.value)


def test_what_is_missing_is_told_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('about = "x"\n')
    with pytest.raises(InputError, match=r"mine\.toml: 'dialects' is missing"):
        load_policy(str(path))


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_policy(str(tmp_path / "none.toml"))


def test_a_file_that_is_no_text_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load_policy(str(path))
