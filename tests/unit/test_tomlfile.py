"""TOML files are read with tolerance and complained about by line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.tomlfile import DEEPEST, MOST, line_of, read_toml, shortened

TEXT = """\
# a comment
theme = "x"

[send]
# another
to = "y"
many = [
  1,
  2,
]
after = 1
[a.b]
c.d = 1
"quoted.key" = 2
text = '''
after = 9
'''
last = 3
"""


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("theme",), 2),
        (("send",), 4),
        (("send", "to"), 6),
        (("send", "many"), 7),
        (("send", "after"), 11),
        (("a", "b", "c", "d"), 13),
        (("a", "b", "quoted.key"), 14),
        (("a", "b", "last"), 18),
        (("send", "nothing"), None),
        (("theme", "below"), None),
    ],
)
def test_a_key_is_found_on_the_line_that_sets_it(
    keys: tuple[str, ...], line: int | None
) -> None:
    assert line_of(TEXT, keys) == line


MANY = """\
[[write]]
on = "same"
[[write]]
path = "a"
  [[write.deep]]
  x = 1
  [[write.deep]]
  x = 2
[write.else]
y = 1
[[write]]
[[write.deep]]
x = 3
"""


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("write",), 1),
        (("write", 1), 1),
        (("write", 1, "on"), 2),
        (("write", "on"), 2),
        (("write", 2), 3),
        (("write", 2, "path"), 4),
        (("write", 2, "deep", 2, "x"), 8),
        (("write", 2, "else", "y"), 10),
        (("write", 3, "deep", 1, "x"), 13),
        (("write", 4), None),
        (("write", 1, "path"), None),
    ],
)
def test_one_of_several_tables_is_found_by_its_number(
    keys: tuple[str | int, ...], line: int | None
) -> None:
    assert line_of(MANY, keys) == line


@given(st.integers(0, 5), st.integers(0, 5))
def test_what_stands_around_a_key_moves_its_line_and_nothing_else(
    above: int, below: int
) -> None:
    text = "# c\n" * above + "key = 1\n" + "\n# c" * below
    assert line_of(text, ["key"]) == above + 1


@given(
    st.dictionaries(
        st.sampled_from("abcde"),
        st.dictionaries(
            st.sampled_from("vwxyz"),
            st.sampled_from(["1", '"t"', "[\n 1,\n]", "{ q = 1 }", '"""\n[z]\n"""']),
        ),
    )
)
def test_every_key_is_on_the_line_it_was_written_on(
    tables: dict[str, dict[str, str]],
) -> None:
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}
    for table, keys in tables.items():
        lines += ["", f"[{table}]  # c"]
        expected[(table,)] = len(lines)
        for key, value in keys.items():
            expected[(table, key)] = len(lines) + 1
            lines += f"{key} = {value}".split("\n")
    text = "\n".join(lines)
    assert {path: line_of(text, path) for path in expected} == expected


def test_there_is_nothing_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_toml(tmp_path / "none.toml") is None
    (tmp_path / "file").write_text("")
    assert read_toml(tmp_path / "file" / "none.toml") is None


def test_a_file_is_read_with_a_bom_and_line_ends_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    found = read_toml(path)
    assert found is not None
    assert found.data == {"a": 1, "b": 2}
    assert found.place("b") == f"{path}:2"
    assert found.place("none") == str(path)


@pytest.mark.parametrize(
    ("content", "where", "words"),
    [
        (b"a = 1\nb = = 2\n", ":2", "not TOML"),
        (b"a = 1\na = 2\n", ":2", "not TOML"),
        (b"a = '''\n", ":2", "not TOML"),
        (b"a = '\xff'\n", "", "byte 5 is not UTF-8"),
    ],
)
def test_a_broken_file_is_a_sentence_with_file_and_line(
    tmp_path: Path, content: bytes, where: str, words: str
) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(content)
    found = read_toml(path)
    assert found is not None
    assert found.data == {}
    assert found.problem.startswith(f"{path}{where}: ")
    assert words in found.problem
    assert "(at " not in found.problem


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a = 1\nb = " + "9" * 5000, "b.toml:2: a number has too many digits"),
        ("a = " + "[" * 5000 + "]" * 5000, "b.toml: it is nested too deeply"),
    ],
    ids=["digits", "depth"],
)
def test_what_is_toml_but_not_for_python_is_a_sentence(
    tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "b.toml"
    path.write_text(content, encoding="utf-8")
    found = read_toml(path)
    assert found is not None
    assert found.data == {}
    assert found.problem.endswith(said)


def test_a_folder_in_place_of_a_file_is_a_sentence(tmp_path: Path) -> None:
    found = read_toml(tmp_path)
    assert found is not None
    assert "cannot be read" in found.problem


def test_a_pipe_in_place_of_a_file_is_a_sentence(tmp_path: Path) -> None:
    """Nobody writes into it: the screens would wait for ever."""
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    found = read_toml(path)
    assert found is not None
    assert found.problem.endswith("it cannot be read: it is a pipe or a device")


def test_what_a_shell_hands_over_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"a = 1")
    os.close(writing)
    try:
        found = read_toml(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)
    assert found is not None
    assert found.data == {"a": 1}


def test_a_file_without_measure_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * (MOST + 1))
    found = read_toml(path)
    assert found is not None
    assert "it has more than 1,000,000 bytes" in found.problem


@pytest.mark.parametrize("part", ["a", '"a b"', "'.'", "a "])
@pytest.mark.parametrize("frame", ["{} = 1", "[{}]", "x = {{ {} = 1 }}"])
def test_a_key_of_very_many_parts_is_a_sentence(
    part: str, frame: str, tmp_path: Path
) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("# kept\n" + frame.format(".".join([part] * (DEEPEST + 1))))
    found = read_toml(path)
    assert found is not None
    assert found.problem.endswith("deep.toml:2: a key has more than 32 parts")
    path.write_text(frame.format(".".join([part] * DEEPEST)))
    found = read_toml(path)
    assert found is not None
    assert (found.problem, bool(found.data)) == ("", True)


def test_texts_with_many_points_are_read(tmp_path: Path) -> None:
    path = tmp_path / "texts.toml"
    said = "Look here. It is so. See https://a.b.example/v1.2.3 ... ... ... " * 40
    path.write_text(f"a = '{said}'\nb = '{'.' * 900}'\nc = '{'word' * 100_000}'")
    found = read_toml(path)
    assert found is not None
    assert (found.problem, found.data["a"]) == ("", said)


def test_the_home_folder_is_shortened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shortened(tmp_path / "a" / "b.toml") == "~/a/b.toml"
    assert shortened(Path("/elsewhere/b.toml")) == "/elsewhere/b.toml"
