"""The tool loop of openai_tools.py under VCR.py.

argv: CASSETTE, `once` (record) or `none` (play back, no traffic at all), then the
arguments of openai_tools.py.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import vcr

_, cassette, mode, *rest = sys.argv
sys.argv = ["openai_tools.py", *rest]
with vcr.VCR(match_on=("method", "uri", "body")).use_cassette(
    cassette, record_mode=mode
) as tape:
    runpy.run_path(str(Path(__file__).with_name("openai_tools.py")))
    if mode == "none":
        assert tape.all_played, "the cassette holds requests that were never made"
