"""Say what sigscope found on this machine: versions, folders, optional libraries."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
from importlib import import_module, metadata
from typing import Any

from sigscope import __version__
from sigscope.cli.console import Console
from sigscope.cli.options import add_json

HELP = "show versions, folders and what is missing"
EXTRAS = {
    "PyYAML": ("yaml", "vcr", "VCR cassettes"),
    "brotli": ("brotli", "codecs", "br bodies"),
    "zstd": (None, "codecs", "zstd bodies"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--json."""
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the report; 1 if something needed is missing."""
    report = _report()
    if args.json:
        console.json({"format": 1, **report})
        return 0
    for group, rows in report.items():
        console.data(console.style(group, "bold"))
        for name, value in rows.items():
            console.data(f"  {name:22} {value}")
    return 0


def _report() -> dict[str, dict[str, Any]]:
    from sigscope.engine.places import config_dir, data_dir, shipped, state_dir

    packages = ("textual", "httpx", "httpx-sse", "pydantic", "uvicorn")
    return {
        "versions": {
            "sigscope": __version__,
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in packages},
        },
        "optional": {name: _extra(*spec) for name, spec in EXTRAS.items()},
        "folders": {
            "bundled sessions": str(shipped("sessions")),
            "config": str(config_dir()),
            "data": str(data_dir()),
            "state": str(state_dir()),
        },
        "terminal": {
            "TERM": os.environ.get("TERM", "not set"),
            "COLORTERM": os.environ.get("COLORTERM", "not set"),
            "NO_COLOR": "set" if os.environ.get("NO_COLOR") else "not set",
            "size": "{}×{}".format(*shutil.get_terminal_size()),
            "EDITOR": os.environ.get("VISUAL") or os.environ.get("EDITOR") or "not set",
        },
    }


def _extra(module: str | None, extra: str, what: str) -> str:
    names = [module] if module else ["compression.zstd", "backports.zstd"]
    for name in names:
        try:
            import_module(name)
        except ImportError:
            continue
        return f"here: {what} can be read"
    return f"missing: {what} need  pip install 'sigscope[{extra}]'"
