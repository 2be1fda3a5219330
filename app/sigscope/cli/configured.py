"""Arguments that were not given get their values from the settings."""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.engine.settings.settings import SETTINGS, Settings


def configure(args: argparse.Namespace, console: Console) -> Settings:
    """Fill in every option of this command that is a setting and was left out; say on
    stderr what of the settings could not be taken. Such an option has the default None
    in the parser. Raises UsageError for one that was given and does not fit."""
    from sigscope.engine.settings.sources import checked, load_settings
    from sigscope.errors import UsageError

    options = {
        setting.name: setting.option
        for setting in SETTINGS
        if setting.option and hasattr(args, setting.option)
    }
    flags = {name: getattr(args, option) for name, option in options.items()}
    for setting in SETTINGS:
        if (value := flags.get(setting.name)) is not None:
            try:
                checked(setting, value)
            except ValueError as error:
                raise UsageError(f"{setting.flag}: {error}") from None
    settings = load_settings(flags)
    for problem in settings.problems:
        console.talk(f"sigscope: {problem}")
    for name, option in options.items():
        setattr(args, option, settings.winner(name).value)
    if hasattr(args, "key_env"):
        args.key_env = settings.key_env
    return settings
