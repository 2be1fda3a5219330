"""Secrets behind escapes, percent signs and base64."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from functools import partial
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort

from sigscope.store.secrets.encoded import find_encoded, find_known
from sigscope.store.secrets.masker import apply_stars, mask_answer, mask_text
from sigscope.store.secrets.secret import Secret, merged

KEY = "sk-ant-api03-" + "Ab3" * 20
PLAIN = "Zq7-" + "xY4w" * 8


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" for char in text)


def percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def masked(text: str, known: tuple[str, ...] = ()) -> str:
    data = text.encode()
    out, _ = apply_stars(data, find_encoded(data, known))
    assert len(out) == len(data)
    return out.decode()


@pytest.mark.parametrize(
    "text",
    [
        escaped(KEY),
        f"\\u0073k{KEY[2:]}",
        f"\\\\u0073k{KEY[2:]}",
        f'{{"api\\u005fkey":"{PLAIN}"}}',
        f"x{{\\u0022api_key\\u0022:\\u0022{PLAIN}\\u0022}}",
        percent(KEY),
        quote(f'{{"api_key":"{PLAIN}"}}', safe=""),
        quote(quote(f'{{"api_key":"{PLAIN}"}}', safe=""), safe=""),
        encoded(f"my key: {KEY}"),
        encoded(f'{{"password":"{PLAIN}"}}').rstrip("="),
        encoded(encoded(f"key {KEY}")),
        encoded(quote(f'{{"api_key":"{PLAIN}"}}', safe="")),
        f"line\\n{encoded(f'my key: {KEY}')}",
    ],
)
def test_it_is_found_and_masked_where_it_stands(text: str) -> None:
    out = masked(f'{{"content":"{text}"}}' if text[0] != "{" else text)
    assert "****" in out
    for secret in (KEY, PLAIN, escaped(KEY[-8:]), percent(KEY[-8:])):
        assert secret[-8:] not in out
    assert encoded(KEY[-24:])[4:28] not in out
    json.loads(out)


WORDS = st.text(st.characters(exclude_categories=["C"]), max_size=8)


@given(before=WORDS, after=WORDS)
def test_base64_hides_nothing_at_any_alignment(before: str, after: str) -> None:
    text = encoded(f"some text {before} {KEY} {after} and some more")
    out = masked(text)
    plain = base64.b64decode(out.replace("*", "A"))
    assert KEY[20:].encode() not in plain
    assert b"some text" in plain


def test_a_known_key_is_found_in_every_spelling() -> None:
    for text in (escaped(PLAIN), percent(PLAIN), encoded(f"-- user:{PLAIN} --")):
        assert "****" in masked(text, (PLAIN,))
        assert masked(text) == text


@given(st.binary(min_size=12, max_size=400))
def test_base64_of_bytes_is_left_alone(data: bytes) -> None:
    text = encoded("\x00".join(("", data.decode("latin-1"))))
    assert masked(f'{{"reasoning_opaque":"{text}"}}').count("*") == 0


@pytest.mark.parametrize(
    "text",
    [
        "if (a \\u003c b \\u0026\\u0026 c) sk-loading-spinner",
        "https://h/a%20b?alt=sse&x=100%25",
        encoded("a text that says nothing in particular, at some length"),
        escaped("no secret at all"),
    ],
)
def test_what_holds_no_secret_stays(text: str) -> None:
    assert masked(text) == text


@given(st.binary(max_size=300))
def test_any_bytes_can_be_searched(data: bytes) -> None:
    spans = [(secret.start, secret.end) for secret in find_encoded(data)]
    assert all(0 <= low < high <= len(data) for low, high in spans)
    assert spans == sorted(spans)


def test_texts_outside_of_bodies_are_searched_too() -> None:
    text, removed = mask_text(f"see {encoded(f'my key: {KEY}')}")
    assert "****" in text
    assert removed == {"Anthropic key": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"\\" * 500_000,
        (b"a" * 600 + b"\\u0073") * 800,
        b"%25" * 170_000,
        b"%2525 " * 80_000,
    ],
    ids=["backslashes", "words with escapes", "percent signs", "percent words"],
)
def test_a_search_costs_the_length_and_not_its_square(data: bytes) -> None:
    spent = effort(partial(find_encoded, data), limit=5)
    assert spent < 5  # 10 s and more each, were it the square


@pytest.mark.parametrize("levels", range(1, 6))
def test_a_key_under_five_levels_of_json_is_found(levels: int) -> None:
    spelled = "\\" * (2**levels - 1) + f"u{ord(PLAIN[0]):04x}{PLAIN[1:]}"
    assert "****" in masked(f"-- {spelled} --", (PLAIN,))


HEADER_KEY = "Zq7-xY4w.0f3b9A" * 2
"""Looks like no key of anyone; known because a header carried it."""


@pytest.mark.parametrize("coding", ["utf-8", "utf-16-le"])
@pytest.mark.parametrize("before", [b"", b"\xff", b"\xff\0", b"\xff\0\0", b"ab:"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_known_key_is_found_within_base64_of_anything(
    coding: str, before: bytes, encode: Callable[[bytes], bytes]
) -> None:
    packed = encode(before + HEADER_KEY.encode(coding) + b"\xfe\xff\0\xfd")
    data = b'{"data":"%b"}' % packed
    out, removed = apply_stars(data, list(find_known(data, [HEADER_KEY])))
    assert removed["key"] == 1
    least = len(HEADER_KEY.encode(coding)) * 4 // 3 - 2
    assert out.count(b"*") >= least
    assert not list(find_known(data, [HEADER_KEY[::-1]]))


@pytest.mark.parametrize(
    "form",
    [
        HEADER_KEY.encode().hex().encode(),
        HEADER_KEY.encode().hex().upper().encode(),
        HEADER_KEY.encode("utf-16-le"),
        HEADER_KEY.encode("utf-16-be"),
    ],
)
def test_a_known_key_is_found_in_hexadecimal_and_utf_16(form: bytes) -> None:
    data = b"<" + form + b">"
    out, removed = apply_stars(data, list(find_known(data, [HEADER_KEY])))
    assert removed == {"key": 1}
    assert len(out) == len(data)
    assert out.count(b"*") >= len(form) - 1


def test_a_short_key_is_not_looked_for_in_other_forms() -> None:
    """As short as those that count in a field only."""
    for data in (b"a1b2c3d".hex().encode(), base64.b64encode(b"x-a1b2c3d")):
        assert not list(find_known(data, ["a1b2c3d"]))


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_what_a_key_settles_in_base64_is_there_whatever_is_around(
    before: bytes, after: bytes
) -> None:
    data = base64.b64encode(before + HEADER_KEY.encode() + after)
    (found,) = find_known(data, [HEADER_KEY])
    opened = base64.b64decode(data[: found.start // 4 * 4])
    assert len(before) - 3 <= len(opened) <= len(before) + 1


@given(st.sampled_from("ößé€\udcb0"), st.sampled_from("äßè₤\udc8c"))
def test_a_piece_of_a_key_ends_between_letters(own: str, other: str) -> None:
    key = f"{own}pa55-w0rd-0f-g4te-{own}-and-m0re"
    text = f"it was {other}pa55-w0rd-0f-g4te-{other}, they say"
    out, removed = mask_text(text, [key])
    assert removed.total() == 1
    kept = other if own != other else "*" * len(own.encode("utf-8", "surrogatepass"))
    assert out.endswith(f"{kept}, they say")
    assert len(out.encode("utf-8", "surrogatepass")) == len(
        text.encode("utf-8", "surrogatepass")
    )


@pytest.mark.parametrize("count", [1, 2, 3, 20, 64])
def test_of_many_known_keys_each_is_found_in_every_form(count: int) -> None:
    letters = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"
    keys = [f"{(letters * 2)[at % 20 :][:18]}{at:03}" for at in range(count)]
    for key in keys:
        forms = (
            *(f"{'x' * at} {key[2:15]}..." for at in range(8)),
            base64.b64encode(f"me:{key}".encode()).decode(),
            key.encode().hex(),
            key.upper(),
            key.swapcase(),
        )
        for form in forms:
            found: list[Secret] = []
            merged(found, find_known(form.encode(), keys))
            assert found[0].end - found[0].start >= 12


@pytest.mark.parametrize("change", [str.upper, lambda key: key.replace("-", "")])
def test_a_known_uuid_is_one_however_it_is_written(
    change: Callable[[str], str],
) -> None:
    key = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    text = f"no such account: {change(key)}.".encode()
    found: list[Secret] = []
    merged(found, find_known(text, (key,)))
    assert text[found[0].start : found[0].end].decode() == change(key)


ODD = (
    'Pa"ss\\w/o&rd<1>x',
    "pässwörd-42-ünï",
    "correct horse battery 9",
    "sk+ab/c=xYz1",
)
AS_QUOTED: dict[str, Callable[[str], str]] = {
    "JSON": json.dumps,
    "JSON in JSON": lambda key: json.dumps(json.dumps({"k": key})),
    "JSON with its letters": lambda key: json.dumps(key, ensure_ascii=False),
    "JSON of PHP": lambda key: json.dumps(key).replace("/", "\\/"),
    "Python": repr,
    "Python in JSON": lambda key: json.dumps(repr(key)),
    "HTML": html.escape,
    "URL": quote,
    "form": quote_plus,
}


@pytest.mark.parametrize("key", ODD)
@pytest.mark.parametrize("way", AS_QUOTED)
def test_a_known_key_is_found_as_others_quote_it(key: str, way: str) -> None:
    said = AS_QUOTED[way](key)
    text = json.dumps({"e": f"no such key: {said}!"}) if way == "HTML" else said
    masked, _ = mask_answer(text.encode(), (key,))
    assert len(masked) == len(text.encode())
    left = masked.decode()
    assert not any(part in left for part in ("ss", "rect", "xYz", "ttery", "rd"))
    if "JSON" in way:
        json.loads(left)


def test_quotes_that_are_entities_are_read() -> None:
    for text in ("api_key=&quot;%s&quot;", "&lt;password&gt;%s&lt;/password&gt;"):
        key = "aB3" * 8
        masked, _ = mask_text(text % key)
        assert masked == text % ("*" * len(key))


def test_entities_are_read_in_decimal_too() -> None:
    key = "ghp_" + "aB3d" * 9
    text = "".join(f"&#{ord(char)};" for char in key).encode()
    masked, removed = mask_answer(text)
    assert removed
    assert masked.count(b"*") > 36


HIDDEN = f'{{"say":"hi","api_key":"{PLAIN}","end":1}}'


@pytest.mark.parametrize("before", ["", "\\x", "0x", "\n", '"', "= "])
@pytest.mark.parametrize("in_capitals", [False, True])
def test_hexadecimal_of_a_text_is_read(before: str, in_capitals: bool) -> None:
    """As `xxd -p`, and as PostgreSQL prints a bytea (postgresql.org/docs/current/
    datatype-binary.html)."""
    said = HIDDEN.encode().hex()
    said = said.upper() if in_capitals else said
    for text in (f"{before}{said} end", json.dumps({"c": f"{before}{said}"})):
        out = mask_answer(text.encode())[0].decode()
        low = text.lower().index(said.lower())
        plain = bytes.fromhex(out[low : low + len(said)].replace("*", "2"))
        assert plain == HIDDEN.replace(PLAIN, '"' * len(PLAIN)).encode()
        assert out[:low] + out[low + len(said) :] == text.replace(said, "")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_base64_of_wide_letters_is_read(coding: str) -> None:
    """As `powershell -EncodedCommand` takes it."""
    said = base64.b64encode(f"$env:API_KEY = '{PLAIN}'; exit".encode(coding)).decode()
    out = mask_answer(f"powershell -enc {said}\n".encode())[0].decode()
    plain = base64.b64decode(out.split()[2].replace("*", "A")).decode(coding, "replace")
    assert plain.startswith("$env:API_KEY")
    assert plain.endswith("; exit")
    assert "*" * (len(PLAIN) * 8 // 3) in out


def test_texts_with_colours_and_entities_of_entities_are_read() -> None:
    colours = encoded(f"\x1b[32mok\x1b[0m key \x1b[1m{KEY}\x1b[0m")
    assert "*" * len(KEY) in masked(colours)
    twice = html.escape(html.escape(f'{{"api_key":"{PLAIN}"}}'))
    assert "*" * len(PLAIN) in masked(twice)


@given(st.binary(min_size=8, max_size=200))
def test_hexadecimal_of_bytes_is_left_alone(data: bytes) -> None:
    text = data.hex()
    is_ascii = data[:8].isascii()
    assert is_ascii or masked(text) == text


@pytest.mark.parametrize(
    "text", ["2" * 64, "0123456789abcdef" * 4, "00" * 40, "6b" * 11, "6b65793d" * 2]
)
def test_digits_that_say_no_key_stay(text: str) -> None:
    assert masked(text) == text
    assert (
        masked(f'{{"sha256":"{text}","n":{text}}}')
        == f'{{"sha256":"{text}","n":{text}}}'
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("width", [64, 76])
@given(before=st.text("ab =\n", max_size=80))
def test_base64_over_lines_is_one_text(end: str, width: int, before: str) -> None:
    """Whatever of a key stands in which line; as `base64` prints a file."""
    said = f"# settings of mine\n{before}\napi_key={PLAIN}{PLAIN}\n" + "# end\n" * 30
    whole = encoded(said).rstrip("=")
    text = end.join(whole[at : at + width] for at in range(0, len(whole), width))
    for body in (text, json.dumps({"c": f"$ base64 .env\n{text}\n"})):
        out = mask_answer(body.encode())[0].decode()
        assert len(out) == len(body)
        out = json.loads(out)["c"] if body != text else out
        stars = "".join(out.removeprefix("$ base64 .env").split())
        assert stars.count("*") >= len(PLAIN) * 8 // 3 - 4
        plain = base64.b64decode(stars.replace("*", "A") + "=" * (-len(stars) % 4))
        assert plain.endswith(b"# end\n")
        assert PLAIN[:8].encode() not in plain


@pytest.mark.parametrize(
    ("line", "below"),
    [
        (encoded(f" api_key={PLAIN}"), "data: b2Rk"),
        (f" api_key={PLAIN[:21]}".encode().hex(), "66: b2Rk"),
    ],
)
def test_a_name_below_such_a_line_is_no_part_of_it(line: str, below: str) -> None:
    """A star in `data:` would take a line out of an event."""
    assert len(line) == 60
    out = mask_answer(f"{line}\n{below}\n".encode())[0].decode()
    assert out.endswith(f"**\n{below}\n")


@given(st.integers(0, 60))
def test_hexadecimal_over_lines_is_one_text(before: int) -> None:
    """As `xxd -p` prints a file."""
    whole = f"{'a b ' * 5}{'x' * before} api_key={PLAIN} # end".encode().hex()
    text = "\n".join(whole[at : at + 60] for at in range(0, len(whole), 60))
    for body in (text, json.dumps({"c": text})):
        out = mask_answer(body.encode())[0].decode()
        out = json.loads(out)["c"] if body != text else out
        assert len(out) == len(text)
        plain = bytes.fromhex(out.replace("\n", "").replace("*", "2"))
        assert plain.endswith(b" api_key=" + b'"' * len(PLAIN) + b" # end")
