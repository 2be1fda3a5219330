"""Faults are written for whoever reports them, and for nobody else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from sigscope.engine.faultlog import FaultLog, fault_words, place_of

KEY = "sk-proj-" + "q7Zp2Lx9" * 5


def caught(error: Exception) -> Exception:
    try:
        raise error
    except Exception as raised:  # noqa: BLE001 - whatever it is
        return raised


def deep(depth: int = 0) -> int:
    return deep(depth + 1) + 1


def test_it_is_written_once_for_the_user_alone_and_without_secrets(
    tmp_path: Path,
) -> None:
    log = FaultLog(tmp_path / "state" / "faults.log")
    for _ in range(2):
        error = caught(ValueError(f"no header {KEY!r}"))
        assert log.write(error, "reading")
    text = log.path.read_text()
    assert text.count("Traceback") == 1
    assert KEY not in text
    assert "test_faultlog.py" in text
    assert " reading (sigscope " in text
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_a_key_that_looks_like_an_id_is_left_out_where_it_is_known(
    tmp_path: Path,
) -> None:
    sent = "3e1f7a52-90cb-4d6e-8a47-5b2c1d0e9f38"
    log = FaultLog(tmp_path / "faults.log")
    error = caught(ValueError(f"no header {sent!r}"))
    assert log.write(error, "reading", [sent])
    assert sent not in log.path.read_text() + fault_words(error, [sent])


def test_what_is_old_goes_when_the_file_gets_long(tmp_path: Path) -> None:
    log = FaultLog(tmp_path / "faults.log")
    for number in range(400):
        assert log.write(caught(ValueError(f"{number:04} " + "x" * 1000)), f"{number}")
    text = log.path.read_text()
    assert len(text) <= 256_000
    assert "0399 x" in text
    assert "0000 x" not in text
    assert text.split(" ", 1)[0].startswith("20"), "begins with a whole one"


def test_a_fault_without_end_is_cut(tmp_path: Path) -> None:
    log = FaultLog(tmp_path / "faults.log")
    assert log.write(caught(ValueError("y" * 1_000_000)), "reading")
    assert log.path.stat().st_size < 20_000


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    log = FaultLog(tmp_path / "state" / "faults.log")
    assert not log.write(caught(ValueError("no")), "reading")


def test_text_that_is_no_text_can_be_written(tmp_path: Path) -> None:
    log = FaultLog(tmp_path / "faults.log")
    assert log.write(caught(ValueError("half \ud800 of it")), "reading")
    assert b"ud800" in log.path.read_bytes()


def test_what_the_machine_cannot_do_is_said_in_its_words() -> None:
    with pytest.raises(RecursionError) as caught_one:
        deep()
    words = fault_words(caught_one.value)
    assert words.startswith("the input is nested too deeply (test_")
    assert fault_words(MemoryError()) == "there is not enough memory"
    assert place_of(ValueError()) == ""


def test_a_report_counts_them_and_names_the_last_day(tmp_path: Path) -> None:
    log = FaultLog(tmp_path / "faults.log")
    assert log.told() == "none"
    log.write(caught(ValueError("2020-01-01T00:00 no begin (sigscope 1)")), "reading")
    today = log.path.read_text()[:10]
    assert log.told() == f"1 fault, the last on {today}, in {log.path}"
    log.write(caught(ValueError("another")), "laying out")
    assert log.told() == f"2 faults, the last on {today}, in {log.path}"
    log.path.unlink()
    log.path.mkdir()
    assert log.told() == f"{log.path} cannot be read: Is a directory"


KEY = "sk-proj-" + "q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3Ue5Io"


def test_a_key_at_which_a_long_fault_is_cut_leaves_no_piece(tmp_path: Path) -> None:
    for many in range(7900, 8010):
        log = FaultLog(tmp_path / f"{many}.log")
        log.write(LookupError("x " * 6000 + KEY + " " + "y" * many), "doing")
        assert KEY[-8:] not in log.path.read_text()


def test_what_is_told_of_a_fault_says_no_key() -> None:
    words = fault_words(LookupError(f"refused {KEY}"))
    assert "LookupError: refused " in words
    assert KEY[8:] not in words
