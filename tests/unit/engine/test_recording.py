"""Recordings: what they need before the first request comes."""

from __future__ import annotations

from sigscope.cli.main import build_parser
from sigscope.engine.settings.settings import BY_NAME


def test_recorder_and_screens_in_a_browser_run_beside_each_other() -> None:
    record = build_parser("record").parse_args(["record"])
    assert BY_NAME["serve.port"].default != record.port
