"""What the user adds to sigscope in files of the config folder, all together.

carriers.toml    where a gateway puts a signature         (carriers)
services.toml    who else speaks a known dialect          (ownservices)
errors.toml      sentences of errors, and what they mean  (ownerrors)
policies/*.toml  clients for `converse`, by their name    (converse.loader)
"""

from __future__ import annotations

import sys
from os.path import exists
from pathlib import Path

from sigscope.engine.settings.places import config_dir
from sigscope.foldercontents import maybe_closed
from sigscope.tomlfile import shortened

ERRORS = "errors.toml"


def policies_folder() -> Path:
    """Where the user's own policies stand."""
    return config_dir() / "policies"


def adopt() -> None:
    """From now on errors and policies of the user's are known, and those of a folder
    that was in use before are not. Costs two looks where there are none; only those
    who have some pay for what reads them."""
    if _concerns("sigscope.refusals.own", config_dir() / ERRORS):
        from sigscope.engine.settings.ownerrors import own_errors
        from sigscope.refusals.own import set_own

        errors = own_errors()
        set_own(errors.patterns, errors.entries)
    if _concerns("sigscope.converse.loader", policies_folder()):
        from sigscope.converse.loader import set_own_folder

        set_own_folder(policies_folder())


def _concerns(module: str, path: Path) -> bool:
    return module in sys.modules or exists(path)


def problems() -> tuple[str, ...]:
    """What of error texts and services cannot be used, with file and line."""
    from sigscope.engine.settings.ownservices import own_services

    found = own_services().problems
    if closed := maybe_closed(config_dir()):
        found = (f"{shortened(config_dir())}: {closed}; nothing in it is used", *found)
    if exists(config_dir() / ERRORS):
        from sigscope.engine.settings.ownerrors import own_errors

        found = (*own_errors().problems, *found)
    return found
