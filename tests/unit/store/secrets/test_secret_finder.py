"""What counts as a secret, and, above all, what does not."""

from __future__ import annotations

import base64
import json
from itertools import product
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import each
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.finder import find_secrets
from sigscope.store.secrets.masker import apply_stars

A40 = "aB3" * 14

SECRETS = {
    "Anthropic key": f"sk-ant-api03-{A40}-{A40}AA",
    "OpenRouter key": "sk-or-v1-" + "0f3b" * 16,
    "OpenAI key": f"sk-proj-{A40}_T3BlbkFJ{A40}",
    "sk- key": "sk-" + "9d" * 16,
    "Google API key": "AIza" + "SyB-3_x" * 5,
    "Google access token": "ya29.a0AfB_byC-" + A40,
    "Google refresh token": "1//0" + A40,
    "GitHub token": "gho_" + "a1B2" * 9,
    "Copilot token": "tid=4f1c9a02;exp=1763690000;sku=for_business;chat=1:9c0ffee",
    "Cerebras key": "csk-" + A40,
    "Voyage AI key": "pa-" + A40,
    "Z.ai key": "0f3b9a7c5d1e8264" * 2 + "." + A40[:16],
    "Okta token": "SSWS 00" + A40,
    "password hash": "$2b$12$" + A40 + "./abcDEFghi",
    "bot token": "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.Cl2FMQ." + A40[:38],
    "xAI key": "xai-" + A40,
    "Groq key": "gsk_" + A40,
    "Hugging Face token": "hf_" + "aBcD" * 9,
    "NVIDIA key": "nvapi-" + A40,
    "Perplexity key": "pplx-" + A40,
    "AWS access key": "AKIA" + "Q7" * 8,
    "Slack token": "xoxb-1234567890-" + A40,
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF123_-x",
    "bearer token": "Bearer 0123456789abcdefghij-XYZ",
    "basic credentials": "Basic " + base64.b64encode(b"me:pass word").decode(),
}

SYNTHETIC = (
    "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV",
    "ChcB3lsGYN5ab3gRbspi1/xc4VnSOua4iQ==",
    "Ad5bBmDeWm94EW7KYtf8XOFZ0jrmuIk=",
    "EhYKBggLEAEYAhIMLn0sA6lQeuJl7PW1GAE=",
    "gAAAAABpVbkAJS8QyDYQ68oaBZwLroJV680KqYVhR7bFtP8rff7l2iCqOCUwme8bSmSs7SM8mv4p",
    "skip_thought_signature_validator",
    "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
    "context_engineering_is_the_way_to_go",
)

CARRIERS = (
    '{"thoughtSignature":"%s"}',
    '{"thought_signature": "%s"}',
    '{"reasoning_opaque":"%s","content":null}',
    '{"type":"thinking","thinking":"","signature":"%s"}',
    '{"type":"redacted_thinking","data":"%s"}',
    '{"type":"reasoning","encrypted_content":"%s"}',
    '{"cot_id":"%s"}',
    '{"provider_specific_fields":{"thought_signatures":["AAAA","%s"]}}',
    '{"arguments":"{\\"signature\\":\\"%s\\"}"}',
    '{"id":"call_7__thought__%s"}',
    'Base64 decoding failed for "\\"%s\\""',
)


def kinds(text: str) -> list[str]:
    return [secret.kind for secret in find_secrets(text.encode())]


AROUND = '{"content":"%s"}', "%s", "export KEY=%s\n", '{"c":"line\\n%s\\n"}', "(%s)"


@each(product(SECRETS.items(), AROUND))
def test_a_known_shape_is_found_wherever_it_stands(
    row: tuple[tuple[str, str], str],
) -> None:
    (kind, secret), around = row
    assert kinds(around % secret) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        '{"api_key":"0123456789abcdef"}',
        '{"apiKey": "0123456789abcdef"}',
        '{"x-api-key":"0123456789abcdef"}',
        '{"arguments":"{\\"api_key\\": \\"0123456789abcdef\\"}"}',
        '{"refresh_token":"0123456789abcdef"}',
        '{"clientSecret":"0123456789abcdef"}',
        '{"AWS_SECRET_ACCESS_KEY":"wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}',
        '{"password":"hunter2"}',
        '{"Authorization":"Token 0123456789abcdef"}',
        "OPENAI_API_KEY=0123456789abcdef0123",
        '{"api_key":"abc\\u003d\\u003ddef\\/ghi"}',
        '{"secret":"0123456789abcdef"}',
        '{"pwd":"hunter2"}',
        '{"user_token":"aB3dE5gH7jK9mN1pQ3sT5"}',
        '{"content":"x\\npassword: 0123456789abcdef"}',
        '{"content":"-H \'Authorization: token 0123456789abcdef\'"}',
        'AUTH_TOKEN="Zq7xY4wZq7xY4wZq7xY4w"',
        "DB_PASSWORD=correct-horse-battery",
        'export DB_PASSWORD="correct-horse"',
        '{"content":"PGPASSWORD=wordsonlyhere psql\\n"}',
    ],
)
def test_a_telling_name_makes_its_value_a_secret(text: str) -> None:
    assert kinds(text) == ["secret by its name"]
    masked, _ = apply_stars(text.encode(), find_secrets(text.encode()))
    assert len(masked) == len(text)
    if text.startswith("{"):
        json.loads(masked)


@pytest.mark.parametrize(
    "text",
    [
        '{"token":"Hello","logprob":-0.1}',
        '{"max_tokens":4096,"completion_tokens":12}',
        '{"nextPageToken":"CAIaBAgBEAE0123456789"}',
        '{"properties":{"api_key":{"type":"string"},"password":{"type":"string"}}}',
        '{"api_key":"Your key for this service"}',
        '{"password":"string"}',
        '{"api_key":"$OPENAI_API_KEY"}',
        '{"api_key":"<your key here>"}',
        "api_key = os.environ['OPENAI_API_KEY']",
        "access_token=self.session.token",
        "DB_PASSWORD=settings.password",
        "DB_PASSWORD=getpass()",
        "DB_PASSWORD=$OTHER_PASSWORD",
        "between $5$ and $6$ a month, $2a$ at most",
        "0f3b9a7c5d1e82640f3b9a7c5d1e8264.tar",
        "<div class='sk-loading-spinner-container sk-circle-fade-dot'>",
        '{"key":"value","keys":["a","b"]}',
        "the bearer of this-ring-is-a-hobbit-named-frodo",
        "eyJhbGciOiJIUzI1NiJ9 is the start of one",
        "AIzaTooShort",
        "https://example.org/AKIA/index.html",
        '{"AWS::IAM::AccessKey": "62d91b17309e76c8"}',
        '{"user_token":"short-1"}',
        '{"next_token":"aB3dE5gH7jK9mN1pQ3sT5"}',
        '{"auth":"required"}',
        "postgres://user:password@localhost",
        "https://example.org:8080/a@b",
    ],
)
def test_what_only_resembles_a_secret_is_left(text: str) -> None:
    assert kinds(text) == []


@each(product(CARRIERS, SYNTHETIC))
def test_signatures_are_never_secrets(row: tuple[str, str]) -> None:
    carrier, signature = row
    assert kinds(carrier % signature) == []


@each(product(CARRIERS[:9], ["sk-", "1//0", "AKIA", "eyJ", "ya29", "gho_"]))
def test_a_signature_that_begins_like_a_secret_is_left(row: tuple[str, str]) -> None:
    carrier, start = row
    signature = start + "Zk3/x+9Q" * 8
    assert kinds(carrier % signature) == []
    if start in ("sk-", "1//0"):
        signature = start + "Zk3_x-9Q" * 8
        assert kinds(carrier % signature) == []


@each(product(range(1, 4), ["/", "\\/"]))
def test_signatures_in_a_printed_list_within_strings_are_left(
    row: tuple[int, str],
) -> None:
    depth, slash = row
    first, second = "AAAA" + "Zk3/x+9Q" * 8, "sk-mstlXMoIElSQ24Cldp7JmDfbHqZVb"
    text = json.dumps({"thought_signatures": [first, second, second]}, indent=1)
    for _ in range(depth):
        text = json.dumps({"body": text.replace("/", slash)}, indent=1)
    assert kinds(text) == []


@given(
    data=st.binary(min_size=12, max_size=400),
    carrier=st.sampled_from(CARRIERS),
    url_safe=st.booleans(),
    inside=st.sampled_from([*SECRETS.values()]),
)
def test_no_random_base64_is_taken_for_a_secret(
    data: bytes, carrier: str, url_safe: bool, inside: str
) -> None:
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    text = encode(data).decode()
    assert kinds(carrier % text) == []
    touching = [
        secret
        for secret in find_secrets(f"x{text[:9]}{inside}{text[9:]}".encode())
        if secret.start < 10
    ]
    assert touching == []


def test_the_password_of_a_url_in_a_text_is_a_secret() -> None:
    text = b"postgres://me:s3cR3t@db.example.org/x"
    assert [text[s.start : s.end] for s in find_secrets(text)] == [b"s3cR3t"]


def test_a_secret_in_a_carrier_still_counts_if_its_shape_is_beyond_chance() -> None:
    assert kinds(CARRIERS[4] % SECRETS["Anthropic key"]) == ["Anthropic key"]


def test_a_private_key_is_found_with_its_lines() -> None:
    text = "-----BEGIN RSA PRIVATE KEY-----\\n" + "MIIEpAIB" * 9 + "\\n-----END"
    data = json.dumps({"private_key": text.replace("\\n", "\n")}).encode()
    masked, _ = apply_stars(data, find_secrets(data))
    value = json.loads(masked)["private_key"]
    assert value == text.replace("\\n", "\n").replace("MIIEpAIB", "********")


def test_a_private_key_without_its_end_ends_with_its_last_letter() -> None:
    text = '{"key":"-----BEGIN RSA PRIVATE KEY-----\\n%s","said":"It stays."}'
    data = (text % ("MIIEpAIB" * 9)).encode()
    masked, _ = apply_stars(data, find_secrets(data))
    assert masked == (text % ("********" * 9)).encode()


def test_a_private_key_in_a_list_of_lines_leaves_a_list() -> None:
    lines = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEpAIB" * 8, "cdef=="]
    data = json.dumps({"lines": [*lines, "-----END RSA PRIVATE KEY-----"]}).encode()
    masked, _ = apply_stars(data, find_secrets(data))
    assert json.loads(masked)["lines"] == [lines[0], "*" * 64, "*" * 6, ANY]
    each = json.dumps([[line] for line in (*lines, "-----END RSA PRIVATE KEY-----")])
    masked, _ = apply_stars(each.encode(), find_secrets(each.encode()))
    assert json.loads(masked) == [[lines[0]], ["*" * 64], ["*" * 6], ANY]


@pytest.mark.parametrize("after", ["api_key_of", "-- more --", "x-y", "...", "_"])
def test_a_private_key_that_is_cut_ends_before_any_word(after: str) -> None:
    begin, key = "-----BEGIN PRIVATE KEY-----\n", "MIIEpAIB" * 9
    data = f"{begin}{key}\n{after} it".encode()
    masked, _ = apply_stars(data, find_secrets(data))
    assert masked == f"{begin}{'*' * 72}\n{after} it".encode()


def test_a_private_key_ends_in_its_own_member() -> None:
    begin, end = "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----"
    text = {"a": begin + "MIIEpAIB" * 4, "b": "it ends with " + end, "c": 1}
    data = json.dumps(text).encode()
    masked, _ = apply_stars(data, find_secrets(data))
    assert json.loads(masked) == text | {"a": begin + "*" * 32}


def test_short_names_count_in_forms_only() -> None:
    form = b"grant_type=refresh_token&code=abc123&client_secret=s3cr3t&scope=openid"
    assert [form[s.start : s.end] for s in find_secrets(form, is_form=True)] == [
        b"abc123",
        b"s3cr3t",
    ]
    assert find_secrets(b"a=1&code=abc123") == []


def test_two_ways_to_find_one_secret_count_once() -> None:
    text = f'{{"api_key":"{SECRETS["Anthropic key"]}"}}'
    assert kinds(text) == ["Anthropic key"]


@given(st.binary(max_size=300))
def test_any_bytes_can_be_searched(data: bytes) -> None:
    for secret in find_secrets(data):
        assert 0 <= secret.start < secret.end <= len(data)


L43 = ("Ab3dE" * 9)[:43]
HEX = "0f3b9a7c5d1e8264"
UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

MARKED = (
    # Keys that are one word of a known length.
    f"azure «{A40}{A40[:10]}JQQJ99BDACYeBjFXJ3w3AAABACOGAb3x».",
    f"storage «{(A40 * 2)[:76]}+AStAb3xyA»==",
    f"bus «{A40[:33]}+ASbCAb3xy»=",
    f"search «{A40[:42]}AzSeBAb3xy»",
    f"entra «Ab38Q~{A40[:34]}»",
    f"mailgun «{HEX * 2}-{HEX[:8]}-{HEX[:8]}»",
    f"mailchimp «{HEX * 2}-us14»",
    f"relic «{HEX * 2}FFFFNRAL»",
    f"launch «sdk-{UUID}»",
    "1password «A3-ABCDE2-FGHIJ3-KLMN4-OPQR5-STUV6-WXYZ7»",
    f"bitwarden «0.{UUID}.{A40[:30]}»",
    f"GET /data?q=x&appid=«{HEX * 2}»&units=m",
    f"token AstraCS:{A40[:24]}:«{HEX * 4}»",
    f"pbkdf2_sha256$600000${A40[:22]}$«{L43}»=",
    f"SCRAM-SHA-256$4096:{A40[:22]}==$«{L43}»=:«{L43}»=",
    # Beginnings that are not at the beginning of a word, or have more before them.
    f"pi_3{A40[:23]}_secret_«{A40[:25]}»",
    f"pk_«1234567_{A40[:32].upper()}»",
    f"ghs_«eyJhbGciOiJSUzI1NiJ9.{A40}.{A40}»",
    f"xoxd-«{A40[:20]}%2B{A40[:20]}»",
    f"00Dabcdefghi123!AQ«{A40 * 2}»",
    f"Atza|IwEB«{A40 * 2}»",
    f"K10«{HEX * 4}::server:{HEX}»",
    f"sk-«sp-{HEX * 2}»",
    "hf_«" + "aBcDe" * 7 + "»",
    "api_org_«" + "aBcDE" * 7 + "»",
    # Addresses.
    f"https://discordapp.com/api/webhooks/123456789012345678/«{A40}»",
    f"https://discord.com/api/v10/webhooks/123456789012345678/«{A40}»",
    "https://hooks.zapier.com/hooks/catch/1234567/«ab12cd34ef56gh78»",
    f"https://hook.eu1.make.com/«{A40[:32]}»",
    f"https://open.feishu.cn/open-apis/bot/v2/hook/«{UUID}»",
    f"https://mainnet.infura.io/v3/«{HEX * 2}»",
    f"git clone https://«{A40}»@github.com/o/r.git",
    f"SENTRY=https://«{HEX * 2}»@o1.ingest.sentry.io/1",
    "postgres://me:«correcthorsebattery»@db.example/x",
    "postgres://me:«p@ss/w0rd#9Xz»@db.example/x",
    "mysql://me:«Ab1!»@db.example/x",
    # Names.
    f"virustotal_key={'«' + HEX * 2 + '»'}",
    f'{{"openai_key": "«{HEX * 2}»"}}',
    f'{{"groqKey":"«{UUID}»"}}',
    f'fal_key = "«{UUID}:{HEX * 2}»"',
    f"APP_KEY=«base64:{L43}=»",
    f"secret_key_base: «{HEX * 8}»",
    f'os.environ["FOO_KEY"]="«{UUID}»"',
    f"FOO_KEY?=«{UUID}»",
    f"-FOO_KEY=«{UUID}»\n+FOO_KEY=«{UUID}»",
    f"cmake -DFOO_KEY=«{UUID}» .",
    f'auth = AuthApiKey("«{A40}»")',
    f"PresharedKey = «{L43}=»",
    f'"identitytoken": "«{A40}»"',
    '"auth": "«bWU6cHcxMg==»"',
    f"X-Auth-Key: «{A40}»",
    f"Authorization: GenieKey «{UUID}»",
    f"Authorization: Splunk «{UUID}»",
    f"Content-Disposition: form-data; name=token\r\n\r\n«{A40}»\r\n--b--",
    f'<k name="secretKey">«{A40}»</k>',
    f'{{"device_code":"«{A40}»"}}',
    "FLASK_SECRET=«DBlwkjQ3U3»",
    "    password: «wfrW2JKg97»\n",
    "password = «P@ssw0rd123»",
    'password = "«super$ecret»"',
    "budibase_api_key=«1234567890ab-cdef0123456789»",
    # Commands.
    "machine h.example login me password «correcthorse»\n",
    "sshpass -p '«C2Pum3bg8d4D»' ssh me@h",
    "mysql -u root -p«lU3ylFvEGA93» db",
    "docker login -u me -p «WEecl0ERe9NBVAm5»",
    "echo «WEecl0ERe9NBVAm5» | docker login --password-stdin",
    "curl -sSu me:«MYWK450qTBgKQI7C» https://h",
    "curl -ume:«MYWK450qTBgKQI7C» https://h",
    # Credentials of any scheme.
    f'Authorization: Digest username="me", nonce="{HEX * 2}", response="«{HEX * 2}»"',
    f'Authorization: Hawk id="dh37", ts="1790000000", mac="«{L43}=»"',
    f'Authorization: OAuth oauth_consumer_key="a", oauth_token="«12-{A40}»"',
    f"Authorization: TSA «acct:{L43}=»",
    f"> authorization: DPoP «{A40}»",
    f"Authorization: Negotiate «YII{A40}=»",
    f'headers["Authorization"] = "PSK «{A40}»"',
    # Programs.
    f'let apiKey: &str = "«{A40}»";',
    f'var accessToken: String = "«{A40}»"',
    f'#define API_KEY "«{A40}»"',
    f'setx OPENAI_API_KEY "«{A40}»"',
    f'api_key <- "«{A40}»"',
    f'@"apiKey": @"«{A40}»"',
    f'assert os.environ["API_KEY"] == "«{A40}»"',
    f'System.setProperty("api.key", "«{A40}»");',
    'if (password === "«Kx9@F6ApmRsl»")',
    '{:password, "«Kx9@F6ApmRsl»"}',
    'variable "db_password" {\n  type = string\n  default = "«Kx9F6ApmRsl1»"\n}',
    # Passwords with signs.
    "JWT_SECRET=«bl4ck^9F3Qe8U0»",
    "SSHPASS=«Kx9%jrhJwT2x» sshpass -e ssh me@h",
    "requirepass «Kx9^v3HLFL9K»",
    "wpa_passphrase=«Kx9@XQ6A6tFQ»",
    'wifi:\n  psk: "«bl4ck!R54bSjUJ»"',
    "Login failed using password '«Kx9@UKHFWl8m»'",
    "CREATE USER me WITH PASSWORD '«bl4ck!Gl2dHKer»'",
    "Server=h;UID=me;PWD={«Kx9!l6OtrfZp»};",
    '<wsse:Password Type="x#PasswordText">«Kx9!lDC4bXZX»</wsse:Password>',
    # URLs in URLs.
    f"/x?next=/cb?code=«{A40}»&state=1",
    f"/x?a=1&hmac=«{HEX * 4}»&sessionid=«{A40}»",
    # Commands, by their own option.
    "zip -P «Kx9@gd30YEjj» x.zip y",
    "7z x -p«Kx9^9CGPvomn» x.7z",
    "redis-cli -h h -a «Kx9%3qRscNKJ» ping",
    "http -a me:«Kx9^UG2mSTQE» https://h",
    "sqlcmd -S h -U sa -P '«Kx9#HF2Kwza0»' -Q y",
    "ldapsearch -D cn=admin -w «Kx9!j3CldDS1» -b dc=h",
    "htpasswd -bc .htpasswd me «Kx9^psZMk9pR»",
    "echo «Kx9!EM8g4jRV» | sudo -S apt update",
    f"wandb login «{HEX * 2}{HEX[:8]}»",
    f"gem push x --key «{HEX * 3}»",
    f'curl --cookie "sid=«{A40}»" https://h',
    f'Cookie: sid="«{A40}»"',
    # Calls and statements.
    "ConvertTo-SecureString -String '«Kx9@uPkHuOJ4»' -AsPlainText",
    f"Settings(openai=SecretStr('«{A40}»'))",
    'req.SetBasicAuth("me", "«Kx9@sC3fjDgg»")',
    'curl_setopt($c, CURLOPT_USERPWD, "me:«Kx9!T60mnAXY»");',
    "GRANT ALL ON x.* TO me IDENTIFIED BY '«Kx9%4EF39wqB»'",
    "SET PASSWORD FOR me = PASSWORD('«Kx9!SMr0804g»')",
    f"enable password 7 «{HEX.upper()}»",
    '{"user":"me","pass":"«Kx9%H8DCRaHU»"}',
    "db_pass = '«Kx9^nK5CRV8B»';",
    f"secret_id=«{UUID}»",
    f"API key «{HEX * 2}» is not valid",
    "WIFI:S:x;T:WPA;P:«Kx9@mR5SVWBH»;;",
    # Documents.
    f"apiVersion: v1\ndata:\n  a.crt: «{L43}=»\n  b: «{L43}=»\nkind: Secret\n",
    f"kind: Secret\nmetadata:\n  name: x\nstringData:\n  uri: «{A40}»\n",
    f'{{"apiVersion":"v1","data":{{"a":"«{L43}=»","b":"«{L43}=»"}},"kind":"Secret"}}',
    f'{{"key1": "«{HEX * 2}»", "key2": "«{HEX * 2}»"}}',
    f'{{"primaryKey":"«{L43}=»","secondaryKey":"«{L43}=»"}}',
    f"<RSAKeyValue><Modulus>{L43}</Modulus><D>«{L43}=»</D></RSAKeyValue>",
    f"mc alias set s3 http://h AKIA«{HEX.upper()}» «wJalrXUtnFEMI/K7{A40[:24]}»",
    # Addresses.
    "sftp://me:«Kx9#8B9mUSpK»@h.example/",
    "rtsp://admin:«Kx9@UO5QT3gl»@10.0.0.5/stream",
    "jdbc:oracle:thin:me/«Kx9^8VvS6km9»@//h:1521/s",
    "https://hooks.zapier.com/hooks/catch/1234567/«vvmbpx3»/",
    f"https://events.pagerduty.com/integration/«{HEX * 2}»",
    f"https://hc-ping.com/«{UUID}»",
    f"https://chat.example/hooks/«{(HEX * 2)[:26]}»",
    f"https://storage.googleapis.com/upload/storage/v1/b/x/o?upload_id=«{A40}»",
    # Private keys.
    f'{{"kty":"EC","crv":"P-256","x":"{L43}","y":"{L43}","d":"«{L43}»"}}',
    f"Private-Lines: 1\n«{A40}»\nPrivate-MAC: {HEX * 4}",
    "-----BEGIN USER NKEY SEED-----\n«SU" + "AB2C3" * 11 + "A»\n------END",
)


@pytest.mark.parametrize("text", MARKED)
def test_forms_that_strangers_planted(text: str) -> None:
    plain = text.replace("«", "").replace("»", "")
    parts = [part.partition("»") for part in text.split("«")]
    stars = "".join(
        "*" * len(secret.replace("\n", "")) + rest if mark else secret
        for secret, mark, rest in parts
    )
    for around in ("%s", '{"content":%s}'):
        body = (around % (plain if around == "%s" else json.dumps(plain))).encode()
        masked, _ = apply_stars(body, find_secrets(body))
        told = masked.decode()
        said = told if around == "%s" else json.loads(told)["content"]
        assert said.replace("\n", "") == stars.replace("\n", "")


@pytest.mark.parametrize("depth", range(5))
@pytest.mark.parametrize(
    "text",
    [
        "machine h\n  login me\n  password «Kx9F6ApmRsl1»\n",
        f"- name: API_KEY\n  value: «{A40}»\n",
        f'- name: API_KEY\n  value: "«{A40}»"\n',
        f'<entry key="token">«{A40}»</entry>',
        f"<key>API_KEY</key>\n<string>«{A40}»</string>",
        f"<apiKey>\n  «{A40}»\n</apiKey>",
    ],
)
def test_a_name_above_its_value_counts_at_any_depth_of_json(
    text: str, depth: int
) -> None:
    said, stars = planted(text, depth)
    assert apply_stars(said, find_secrets(said))[0] == stars


ORDINARY = (
    '"PWD": "/home/me2/project-1/node_3"',
    "PWD=/home/me2/project-1/src",
    f'"cache_key": "{UUID}"',
    f'"prompt_cache_key":"{HEX * 2}"',
    f'{{"sort_key": "{HEX * 2}", "idempotencyKey": "{UUID}"}}',
    '"image_key": "images/2026-11-23/Report12.png"',
    "nid_key = self._lib.NID_aes_256_cbc",
    '"translation_key": "settings-page-title-2"',
    f"commit {HEX * 2}{HEX[:8]}",
    f"resp_{HEX * 3} call_{A40[:24]} msg_{A40[:24]} chatcmpl-{A40[:29]}",
    f"sha256:{HEX * 4} md5 {HEX * 2} etag {UUID}",
    "postgres://user:password@localhost:5432/x",
    "https://docs.example/a/b@2",
    "git push https://github.com/o/r.git",
    "curl -su nobody https://h/x:y",
    "echo hello-world-12345 | grep docker",
    "api-routes-and-sdk-helpers-for-mobile-1234",
    '{"kty":"EC","x":"' + L43 + '"}',
    "def f(key, token): return call(key='left', token=None)",
    "get_key('some-name-of-it')",
    "    password: required\n    token: optional\n",
    'password = "required" password: "${DB_PASS}" password = getpass()',
    "api_key = settings.api_key_of_the_user",
    "MAX_TOKEN=12345678 PAGE_TOKEN=abcd1234",
    "Authorization: see docs.example.org/v2/auth2 for more",
    "authorization: handled by auth_middleware_v2.py in services/gateway1",
    "the password #1 rule, password 2 times, password me2@example.com",
    "password: str = field(default=None)",
    'token: Token = next_token("literal-1234")',
    '{:token, "some-name"}',
    'variable "password" { type = string }',
    "?page=12&sign=left&sessionid=none",
    "mkdir -p a1/b2 && git commit -a 12345678 && ls -P report2026",
    "zip -r out1.zip dir2; grep -P 'a1b2c3d4' x",
    f"kind: ConfigMap\ndata:\n  a: {L43}=\n",
    f"kind: SealedSecret\nencryptedData:\n  a: {L43}=\n",
    '{"key1": "some value", "key2": "another value"}',
    f'{{"primaryKey":"{UUID}","key2":"{HEX * 2}"}}',
    "https://h.example:8080/a#b@c.d https://h.example/@scope/x@1.2.3",
    "see http://localhost:3000?user=me@example.org",
    "https://h.example/hooks/pre-commit https://hc.example/ping",
    "the API key documentation-of-version-2 and access token rotation",
    '{"pass": "render-pass-1", "bypass": "cache-1234"}',
    "the wandb login page; IDENTIFIED BY whom; class SecretString(str)",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_is_near_to_a_secret_stays(text: str) -> None:
    for body in (text.encode(), json.dumps({"content": text}).encode()):
        assert apply_stars(body, find_secrets(body))[0] == body
