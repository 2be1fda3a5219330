"""Say what sigscope found on this machine: versions, folders, optional libraries, and
which source won for each setting.

  sigscope doctor                                   the report
  sigscope doctor --template > config.toml          a settings file to begin with

Exit code 1 if something of the settings, keys or themes cannot be used.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
from importlib import import_module, metadata
from os.path import isdir, isfile
from pathlib import Path
from typing import Any

from sigscope import __version__
from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_json
from sigscope.engine.settings.settings import Settings, Value
from sigscope.errors import InputError
from sigscope.foldercontents import files_in, maybe_closed
from sigscope.wire.bodies import LIBRARIES

HELP = "show versions, folders and what is missing"
_TOLD = 3
"""Files that were open to others and are named."""
_REGISTRIES = (
    "sigscope.dialects.registry",
    "sigscope.ledger.dialects",
    "sigscope.refusals.dialects",
    "sigscope.rules.registry",
    "sigscope.readymade.registry",
    "sigscope.upstreams.simulator.services.registry",
    "sigscope.converse.speeches.registry",
    "sigscope.capture.detect",
    "sigscope.engine.export.exports",
)
"""Each asks the extensions when it is built."""
EXTRAS = {
    "PyYAML": ("yaml", "'sigscope[vcr]'", "VCR cassettes"),
    "brotli": ("brotli", LIBRARIES["br"], "br bodies"),
    "zstd": (None, LIBRARIES["zstd"], "zstd bodies"),
    "textual-serve": ("textual_serve", "'sigscope[serve]'", "screens in a browser"),
    "mcp": ("mcp", "'sigscope[mcp]'", "tools for coding agents"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--json, --template."""
    add_json(parser)
    parser.add_argument(
        "--template",
        action="store_true",
        help="print a config.toml with every setting and its default",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the report; 1 if something the user wrote cannot be used."""
    from sigscope.cli.keymask import mask_data
    from sigscope.converse.loader import load_added
    from sigscope.engine.settings.carriers import own_carriers
    from sigscope.engine.settings.own import problems as own_problems
    from sigscope.engine.settings.prices import own_prices
    from sigscope.engine.settings.sources import load_settings, template
    from sigscope.extensions import faults

    if args.template:
        for line in template().splitlines():
            console.data(line)
        return 0
    report = mask_data(_report(), ())
    settings = load_settings()
    carriers = own_carriers()
    prices = own_prices()
    left_out = [f"extension {fault}" for fault in faults()]
    problems = [
        *settings.problems,
        *_problems_of_looks(),
        *carriers.problems,
        *prices.problems,
        *own_problems(),
        *_closed_folders(),
        *load_added()[1],
        *left_out,
    ]
    problems = mask_data(problems, ())
    if args.json:
        console.json(
            {
                "format": 1,
                **report,
                "settings": mask_data(_settings_table(settings), ()),
                "problems": problems,
            }
        )
        return 1 if problems else 0
    for group, rows in report.items():
        console.data(console.style(group, "bold"))
        for name, value in rows.items():
            console.data(f"  {name:22} {value}")
    _print_settings(settings, console)
    _print_problems(problems, console)
    return 1 if problems else 0


def _print_settings(settings: Settings, console: Console) -> None:
    console.data(console.style("settings", "bold"))
    values = {name: _shown(found[0].value) for name, found in settings.found.items()}
    size = max(map(len, values.values()))
    for name, found in settings.found.items():
        first, *others = found
        where = f" {first.where}" if first.where else ""
        losers = ", ".join(f"{o.where} ({_shown(o.value)})" for o in others if o.where)
        over = f", overrules {losers}" if losers else ""
        console.data(f"  {name:22} {values[name]:{size}}  {first.source}{where}{over}")


def _print_problems(problems: list[str], console: Console) -> None:
    console.data(console.style("problems", "bold"))
    for problem in problems:
        console.data(f"  {console.style('!', 'warn')} {printable(problem)}")
    if not problems:
        console.data("  none")


def _shown(value: Value) -> str:
    from sigscope.store.secrets.masker import mask_text

    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    return printable(mask_text(str(value))[0]) or "-"


def _settings_table(settings: Settings) -> dict[str, Any]:
    return {
        name: {
            "value": found[0].value,
            "source": found[0].source,
            "where": found[0].where or None,
            "overruled": [
                {"value": other.value, "source": other.source, "where": other.where}
                for other in found[1:]
                if other.where
            ],
        }
        for name, found in settings.found.items()
    }


def _problems_of_looks() -> list[str]:
    """What is wrong with the user's themes and keys; they say it in the screens' own
    words."""
    from sigscope.tui.keymap import load_keys
    from sigscope.tui.themes import load_themes

    return [*load_themes()[1], *load_keys().problems]


def _closed_folders() -> list[str]:
    """What of ours cannot be looked into, and what that costs; `own.problems` has the
    config folder."""
    from sigscope.engine.settings.places import data_dir, state_dir

    costs = {
        data_dir() / "sessions": "sessions kept there are not found, and none is kept",
        state_dir(): "neither recent sessions nor unsent edits are remembered",
    }
    closed = ((folder, maybe_closed(folder), cost) for folder, cost in costs.items())
    return [f"{folder}: {why}; {cost}" for folder, why, cost in closed if why]


def _report() -> dict[str, dict[str, Any]]:
    from sigscope.engine.faultlog import FaultLog
    from sigscope.engine.settings.carriers import carriers_file, own_carriers
    from sigscope.engine.settings.places import config_dir, data_dir, shipped, state_dir
    from sigscope.engine.settings.profiles import profiles_file
    from sigscope.engine.settings.sources import maybe_project_file

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
            "project file": str(maybe_project_file() or "none"),
            "data": str(data_dir()),
            "state": str(state_dir()),
            "readable by others": _tightened(data_dir(), state_dir()),
            "faults on screen": printable(FaultLog().told()),
        },
        "extensions": _extensions(),
        "profiles": {"file": _config(profiles_file()), **_profiles()},
        "carriers": {
            "file": _config(carriers_file()),
            "your own": ", ".join(own_carriers().names) or "none",
        },
        "your own": _own(),
        "terminal": {
            "TERM": os.environ.get("TERM", "not set"),
            "COLORTERM": os.environ.get("COLORTERM", "not set"),
            "NO_COLOR": "set" if os.environ.get("NO_COLOR") else "not set",
            "size": "{}×{}".format(*shutil.get_terminal_size()),
            "EDITOR": os.environ.get("VISUAL") or os.environ.get("EDITOR") or "not set",
        },
    }


def _extensions() -> dict[str, str]:
    """What installed packages add, each with why it is left out, if it is."""
    from sigscope import extensions

    every = [each for group in extensions.GROUPS for each in extensions.declared(group)]
    if not every:
        return {}
    for registry in _REGISTRIES:
        import_module(registry)
    extensions.folders("policies")
    told = extensions.faulty()
    return {
        f"{each.group} {each.name}": printable(
            f"left out: {told[each]} ({each.distribution})"
            if each in told
            else f"here: {each.value} ({each.distribution})"
        )
        for each in sorted(every, key=lambda each: (each.group, each.name))
    }


def _own() -> dict[str, str]:
    """Error texts, services and policies of the user's own, and what won: a shipped
    policy's name always means the shipped one."""
    from sigscope.converse.loader import added_policies, policy_names
    from sigscope.engine.settings.own import policies_folder
    from sigscope.engine.settings.ownerrors import errors_file, own_errors
    from sigscope.engine.settings.ownservices import own_services, services_file

    folder = policies_folder()
    there = "" if isdir(folder) else " (not there; it is not needed)"
    shipped = set(policy_names())
    mine = [path.stem for path in files_in(folder, ".toml")]
    taken = [
        f"{name} (not used: the shipped one wins)" for name in mine if name in shipped
    ]
    found = [f"{name} ({path})" for name, path in added_policies().items()]
    return {
        "errors file": _config(errors_file()),
        "errors": printable(", ".join(own_errors().names)) or "none",
        "services file": _config(services_file()),
        "services": printable(", ".join(own_services().names)) or "none",
        "policies folder": f"{folder}{there}",
        "policies": printable(", ".join([*found, *taken])) or "none",
    }


def _tightened(*folders: Path) -> str:
    """Take what is ours away from others' eyes, and say so."""
    from sigscope.store.private import tighten

    changed = [path for folder in folders for path in tighten(folder)]
    if not changed:
        return "nothing"
    count = "1 was" if len(changed) == 1 else f"{len(changed)} were"
    return (
        f"{count}, now yours alone (0600, folders 0700): "
        + ", ".join(map(printable, map(str, changed[:_TOLD])))
        + (" ..." if len(changed) > _TOLD else "")
    )


def _config(path: Path) -> str:
    return f"{path}{'' if isfile(path) else ' (not there; it is not needed)'}"


def _profiles() -> dict[str, str]:
    """Each profile with its key; what is wrong with the user's file, if it is."""
    from sigscope.engine.settings.profiles import load_profiles

    try:
        profiles = load_profiles()
    except InputError as error:
        return {"problem": str(error)}
    found = {}
    for name, profile in profiles.items():
        state = "set" if profile.key else "not set"
        key = f"{profile.key_env} {state}" if profile.key_env else "no key"
        found[name] = f"{key}; `sigscope profiles check {name}` asks without cost"
    return found


def _extra(module: str | None, package: str, what: str) -> str:
    names = [module] if module else ["compression.zstd", "backports.zstd"]
    for name in names:
        try:
            import_module(name)
        except ImportError:
            continue
        return f"here: {what}"
    return f"missing: {what} need pip install {package}"
