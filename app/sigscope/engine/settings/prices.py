"""Prices of the user's: what a million tokens of a model cost.

    currency = "USD"

    ["claude-sonnet-*"]
    input = 3.0
    output = 15.0
    cached = 0.3
    written = 3.75

They stand in `prices.toml` of the config folder, a table for each model; `*` stands for
any letters, the first name that fits counts. Without the file no cost is told anywhere:
prices change, so none come with sigscope. Without `cached` (`written`) the cost of an
answer is not known where the service read from (wrote to) a cache.
"""

from __future__ import annotations

import math
from dataclasses import field
from pathlib import Path
from typing import Any

from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass
from sigscope.timeline.spending import Price, PriceTable
from sigscope.tomlfile import read_toml

_NEEDED = ("input", "output")
_FIELDS = (*_NEEDED, "cached", "written")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPrices:
    """What the user's file says."""

    table: PriceTable = field(default_factory=PriceTable)
    problems: tuple[str, ...] = ()
    """What cannot be used, with file and line."""


def prices_file() -> Path:
    """Where the user's prices stand."""
    return config_dir() / "prices.toml"


def own_prices() -> OwnPrices:
    """The user's prices; none where there is no file. Never raises."""
    file = read_toml(prices_file())
    if file is None:
        return OwnPrices()
    if file.problem:
        return OwnPrices(problems=(file.problem,))
    prices: list[Price] = []
    problems: list[str] = []
    currency = "USD"
    for name, given in file.data.items():
        if name == "currency" and isinstance(given, str) and given.strip():
            currency = given.strip()[:8]
            continue
        wrong = _wrong(name, given)
        if wrong:
            problems.append(f"{file.place(name)}: {wrong}")
        else:
            prices.append(Price(model=name, **{k: float(v) for k, v in given.items()}))
    table = PriceTable(prices=tuple(prices), currency=currency)
    return OwnPrices(table=table, problems=tuple(problems))


def _wrong(name: str, given: Any) -> str:
    """Why an entry cannot be used; empty if it can."""
    if name == "currency":
        return 'currency is no text; write it like "USD"'
    if not isinstance(given, dict):
        return f'{name} is no table; write ["{name}"] and its prices below'
    for key, value in given.items():
        if key not in _FIELDS:
            return f'["{name}"] has no {key}; it may have {", ".join(_FIELDS)}'
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value < math.inf:
            return f'["{name}"] {key} is no price of a million tokens: {value!r}'
    missing = [key for key in _NEEDED if key not in given]
    return f'["{name}"] has no {missing[0]}' if missing else ""
