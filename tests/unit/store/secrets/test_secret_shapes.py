"""Forms of keys: the table of vendors, and what needs more than a row of it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sigscope.store.secrets import shapes
from sigscope.store.secrets.masker import mask_text

_TABLES = tomllib.loads(
    Path(shapes.__file__).with_name("vendors.toml").read_text(encoding="utf-8")
)


def test_the_table_says_where_each_prefix_was_read_or_that_it_was_not() -> None:
    sources = set(_TABLES["sources"])
    for row in _TABLES["key"]:
        unseen = row.get("unseen", [])
        assert set(row["seen"]) <= sources, row
        assert set(unseen) <= set(row["prefix"]), row
        assert row["seen"] or unseen == row["prefix"], row
    assert all(set(row["seen"]) <= sources for row in _TABLES["whole"])
    assert len(_TABLES["key"]) > 250


@pytest.mark.parametrize(
    "key",
    [
        # Forms of the sources in `vendors.toml` that an earlier table had shorter, in
        # another alphabet, or not at all; the letters are made up.
        "luma-3f0b6a51-9c2e-4d17-8a44-5be01c7d92f3-71ce9a02-4b5d-4f6e-9a3b-0c1d2e3f4a5b",
        "sntrys_eyJpYXQiOjE3MDB9MQ==_Zq7xY4wLm2Kp9Rt5Bv8Nc3Zq7xY4wLm2Kp9Rt5Bv8Nc3",
        "t1.9euelZq7xY4wLm2Kp9Rt5Bv8Nc3==.Zq7xY4wLm2Kp9Rt5Bv8Nc3Zq7xY4wLm2Kp9Rt5Bv8Nc3",
        "WPL_AP1.Zq7xY4wLm2Kp9Rt5.+Bv8/Q==",
        "tl_3f0b6a519c2e4d178a445be01c7d92f3",
        "key-3zq7xy4wlm2kp9rt5bv8nc3zq7xy4wlm",
        "xai-Zq7xY4wLm2Kp9Rt5Bv8Nc3-q7xY4wLm2Kp9Rt5Bv8Nc3Zq7xY4wL_2Kp9Rt5Bv8Nc3Zq7xY4wLm2",
        "ghs_Zq7xY4wLm2Kp9Rt5_Bv8Nc3Zq7xY4wLm2Kp9Rt5Bv",
        "r8_Zq7xY4wLm2Kp9Rt5-Bv8Nc3Zq7xY4wLm2Kp9R",
        "$aact_prod_Zq7xY4wLm2Kp9Rt5Bv8Nc3Zq7xY4wLm2",
        "4b1dZq7xY4wLm2Kp9Rt5Bv8Nc3Zq7xY4wLm2Kp9Rt5",
        "cr-3f0b6a519c2e4d178a445be01c7d92f33f0b6a519c2e4d178a445be01c",
        "sk-ss-v1-3f0b6a519c2e4d178a445be01c7d92f33f0b6a519c2e4d178a445be01c7d92f3",
        "lin_refresh_3f0b6a519c2e4d178a445be01c7d92f3",
        "crsr_3f0b6a519c2e4d178a445be01c7d92f33f0b6a519c2e4d178a445be01c7d92f3",
        "KEY019A3F0B6A519C2E4D178A445BE01C7D_Zq7xY4wLm2Kp9Rt5Bv8Nc3",
        "sk_3f0b6a51-9c2e-4d17-8a44-5be01c7d92f3",
    ],
)
def test_forms_of_public_rule_sets(key: str) -> None:
    masked, _ = mask_text(f"it said {key}, twice")
    assert key[-12:] not in masked
    assert masked.endswith(", twice")
