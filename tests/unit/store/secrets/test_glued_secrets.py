"""Keys behind other letters are keys; what only looks so is not."""

from __future__ import annotations

import pytest

from sigscope.store.secrets.masker import mask_answer, mask_text

PROJECT = "sk-proj-" + "q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3Ue5Io"
ROUTER = "sk-or-v1-" + "3f0b6a519c2e4d178a445be01c7d92f3" * 2
GROQ = "gsk_" + "q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3Ue5IoQ8Wn3Rt5Yk0L"
GITHUB = "ghp_" + "q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3U"
LANGFUSE = "sk-lf-3f0b6a51-9c2e-4d17-8a44-5be01c7d92f3"
PLAIN = "sk-3f0b6a519c2e4d178a445be01c7d92f3"
KEYS = [PROJECT, ROUTER, GROQ, GITHUB, LANGFUSE, PLAIN]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("before", ["id-", "unknown_", "user_1-", "TOKEN", "v1-x"])
def test_a_key_behind_a_word_is_masked_and_the_word_stays(
    before: str, key: str
) -> None:
    said, removed = mask_text(f"no such user: {before}{key}, sorry")
    assert said.startswith(f"no such user: {before}{key[:3]}")
    assert said.endswith(", sorry")
    assert key[12:] not in said
    assert removed.total() == 1


@pytest.mark.parametrize("first", [GROQ, GITHUB, ROUTER, PLAIN])
@pytest.mark.parametrize("second", KEYS)
def test_of_two_keys_in_a_row_both_are_masked(first: str, second: str) -> None:
    said, _ = mask_text(f"keys: {first}{second} and no more")
    assert first[12:] not in said
    assert second[12:] not in said


@pytest.mark.parametrize(
    "text",
    [
        "task-proj-2024-Q3-budget-final-v2-REVIEWED-by-finance",
        "desk-ant-colony-optimisation-of-routes-in-2024",
        "disk-3f0b6a51-9c2e-4d17-8a44-5be01c7d92f3",
        "half_hf_transformers_of_the_year",
        "my_sk_test_of_words_and_nothing_else_in_it_2",
        '{"data":"q8Wn3Rt5Yk0Lp2Zx7_ghp_q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3U"}',
        "q8Wn3Rt5Yk0Lp2Zx7_ghp_q8Wn3Rt5Yk0Lp2Zx7Vb9Mc4Jd6Hs1Gf8Aa3Uq8Wn3Rt5",
    ],
)
def test_names_signatures_and_other_lengths_stay(text: str) -> None:
    assert mask_answer(text.encode())[0].decode() == text
