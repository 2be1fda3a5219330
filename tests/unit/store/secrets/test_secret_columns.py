"""Secrets whose name stands in the first line of a table, and lines of .pgpass."""

from __future__ import annotations

import json
import time

import pytest

from sigscope.store.secrets.columns import find_columns
from sigscope.store.secrets.masker import Masker

ONE, TWO = "Tr0ub4dor!x", "winter-Horse9"
LONG = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"
TABLES = {
    "csv": f"user,email,password\nann,a@b.example,{ONE}\nbob,b@b.example,{TWO}\n",
    "no line at the end": f"user,password\nann,{ONE}\nbob,{TWO}",
    "quoted": f'"user","password","x"\n"ann","{ONE}","1"\n"bob, b","{TWO}","2"\n',
    "some quoted": f'user,api_key,x\nann,"{ONE}",1\n"b, c",{TWO},2\n',
    "semicolons": f"user;password;x\r\nann;{ONE};1\r\nbob;{TWO};2\r\n",
    "tabs": f"user\tclient_secret\nann\t{ONE}\nbob\t{TWO}\n",
    "markdown": f"| user | Password |\n|---|:--|\n| ann | {ONE} |\n| bob | {TWO} |\n",
    "psql": f" user | password \n------|---------\n ann | {ONE}\n bob | {TWO}\n",
    "first column": f"secret,user\n{ONE},ann\n{TWO},bob\n",
    "two of them": f"old_password,new_password\n{ONE},{TWO}\n",
    "after words": f"$ cat users.csv\nuser,password\nann,{ONE}\nbob,{TWO}\n\nDone.",
    "pgpass alone": f"db.example.com:5432:app:me:{ONE}\n",
    "pgpass": f"db.example.com:5432:app:me:{ONE}\n*:*:*:postgres:{TWO}\n",
}


def masked(text: str) -> str:
    """As a body; as a string of JSON; as JSON in JSON, and in that: the same is left
    each time."""
    plain = Masker().mask(text.encode())[0].decode()
    body = json.dumps({"content": text})
    assert json.loads(Masker().mask(body.encode())[0])["content"] == plain
    twice = json.dumps({"arguments": body})
    inner = json.loads(Masker().mask(twice.encode())[0])["arguments"]
    assert json.loads(inner)["content"] == plain
    thrice = json.loads(Masker().mask(json.dumps([twice]).encode())[0])[0]
    assert json.loads(json.loads(thrice)["arguments"])["content"] == plain
    return plain


@pytest.mark.parametrize("name", TABLES)
def test_what_stands_below_a_telling_name_is_masked(name: str) -> None:
    text = TABLES[name]
    found = masked(text)
    assert found == text.replace(ONE, "*" * len(ONE)).replace(TWO, "*" * len(TWO))


def test_what_is_called_a_token_has_to_look_like_a_key() -> None:
    text = f"id,token\n1,{LONG}\n2,reading\n3,15\n"
    assert masked(text) == text.replace(LONG, "*" * len(LONG))


@pytest.mark.parametrize(
    "text",
    [
        "city,country,people\nParis,FR,2100000\nRome,IT,2800000\n",
        "token,count\nthe,512\nof,301\nthoughtful,2\n",
        "key,value\nname,Ann\ncolour,green\n",
        "primary_key,foreign_key\n17,19\n18,20\n",
        "user,password\n\nNothing is in this file.\n",
        "Name, password, and a cup of tea\nare all that you need.\n",
        "a.py:1234:x:y:word\nb.py:12:5:E501:line\nc.c:4711:10:20:30\n",
        "12:30:45:123:4567 started\n00:11:22:33:44:55 up\nfe80::1:2:3:4:5\n",
        "| key | action |\n|---|---|\n| F5 | refresh |\n",
        "password,required\npassword,string\n",
    ],
)
def test_ordinary_tables_and_lists_stay(text: str) -> None:
    assert masked(text) == text


def test_a_signature_in_a_table_stays() -> None:
    signature = "CiQBjz1rX" + "aB3dE5gH7jK9mN1pQ3sT5uV7wX9yZ2b+/" * 8
    text = f"step,signature,thought_signature\n1,{signature},{signature}\n"
    assert masked(text) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "password," * 40_000,
        "a,password\n" * 30_000,
        '"' * 200_000 + "password,x\n",
        "key," * 50_000 + "\n" + "x," * 50_000,
        ":5432:" * 50_000,
        "h:5432:d:u:" * 30_000,
    ],
    ids=["names", "headers", "quotes", "wide", "ports", "lines"],
)
def test_hostile_texts_cost_no_square(text: str) -> None:
    def cost(size: int) -> float:
        began = time.process_time()
        for _ in find_columns(text[:size].encode()):
            pass
        return time.process_time() - began

    whole, half = cost(len(text)), cost(len(text) // 4)
    assert whole < max(2.0, 12 * half)


def test_a_name_in_the_string_before_hides_no_table() -> None:
    table = "| name | secret |\n|---|---|\n| a | Tr0ub4dor |\n"
    for before in ("password = $PASSWORD", "the token is kept", "key"):
        body = json.dumps({"a": before, "content": table})
        stars = body.replace("Tr0ub4dor", "*" * 9)
        assert Masker().mask(body.encode())[0].decode() == stars
