"""Passwords that are called so in other languages."""

from __future__ import annotations

import json

import pytest

from sigscope.store.secrets.masker import mask_answer, mask_text

PASSWORD, KEY = "Tr0ub4dor!zK", "Zq7xY4wLm2Kp9Rt5Bv8Nc3"


@pytest.mark.parametrize(
    "name",
    [
        *("Passwort", "**Passwort**", "contraseña"),
        *("Hasło", "пароль", "Пароль", "密码", "密碼", "パスワード", "비밀번호"),
        *("mot de passe", "Lösenord"),
    ],
)
@pytest.mark.parametrize("between", [": ", " : ", "：", "=", ": `"])
def test_a_password_is_masked_in_any_language(name: str, between: str) -> None:
    if not name.isascii() or between.isascii():
        text = f"{name}{between}{PASSWORD}"
        assert PASSWORD not in mask_text(text)[0]
    for data in (json.dumps({"c": f"{name}: {PASSWORD}"}, ensure_ascii=False),):
        assert PASSWORD.encode() not in mask_answer(data.encode())[0]
    data = f"{name}: {PASSWORD}\n"
    for _ in range(3):
        data = json.dumps({"c": data})
        assert PASSWORD.encode() not in mask_answer(data.encode())[0]


@pytest.mark.parametrize("name", ["clé API", "API-Schlüssel", "ключ API", "API 密钥"])
def test_a_key_is_masked_in_any_language(name: str) -> None:
    assert KEY not in mask_text(f"{name}: {KEY}")[0]
    assert KEY.encode() not in mask_answer(json.dumps(f"{name}: {KEY}").encode())[0]


@pytest.mark.parametrize(
    "text",
    [
        "密码：至少八个字符",
        "пароль: введите новый",
        "Passwort: vergessen? Hier klicken",
        "contraseña: mínimo8caracteres",
        "mot de passe oublié 2024",
        "passe: Bordeaux2024Saint-Jean",
        "Schlüssel: ein langes deutsches Wort",
    ],
)
def test_what_is_said_of_one_stays(text: str) -> None:
    assert mask_text(text)[0] == text
