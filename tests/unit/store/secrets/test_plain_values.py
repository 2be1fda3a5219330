"""What stands where a secret would and is none stays: it is evidence."""

from __future__ import annotations

import json
import random
import string
from collections import Counter

import pytest
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.masker import mask_answer
from sigscope.store.secrets.values import is_kept_back, is_of_program

SUM = "yki5XnKuf750l50uGTllt6kKILY4nQ1eNIQatoXEByZ5dWgnKqbnqmTrBE5B4N7l"

PLAIN = (
    # Sums, versions, numbers.
    f'"node_modules/cookie": {{"version": "0.7.2", "integrity": "sha512-{SUM}=="}}',
    f'"node_modules/js-tokens": {{"x": "9.0.1", "integrity": "sha512-{SUM}=="}}',
    '{"js-tokens": {"integrity": "sha512-' + SUM + '=="}}',
    f"pkg/keywords.py,sha256=r8_{SUM[:40]},14949",
    "example.org/sdk/credentials v1.19.34/go.mod h1:w3dTcnDVoQIewj=",
    "CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'",
    "#define CKR_NEXT_OTP 0x000001B1UL",
    'WS_KEY: Final[bytes] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"',
    "tokens: { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02' }",
    '# METHOD can be "trust", "md5", "password", "scram-sha-256"',
    "{'secrets': {'cipher': 'aes-256-gcm', 'mac': 'hmac-sha256'}}",
    # Names of a program.
    "const client = new Client({ apiKey: process.env.ACME2_API_KEY! });",
    "secretAccessKey: env.ACME_S3_UPLOAD_SECRET_ACCESS_KEY,",
    "private_key = ed25519.Ed25519PrivateKey.generate()",
    "MLKEM1024P384PrivateKey = rust_openssl.hpke.MLKEM1024P384PrivateKey",
    "os.environ['ACME2_API_KEY'] = ACME2_API_KEY",
    "secret := base64.StdEncoding.EncodeToString(b)",
    "set_cookie(name=session_cookie, data=data.decode('utf-8'))",
    "#define NL80211_ATTR_KEY NL80211_ATTR_KEY",
    'sdkAuth "example.org/acme/proxy/v7/sdk/auth"',
    '"-e", "ACME_ACCESS_TOKEN",\n "ghcr.io/acme/server:sha-23fa0dd"',
    "headers = { 'Authorization' => \"Bearer #{api_key}\" }",
    '"XAI_API_KEY" = "xai-[a-zA-Z0-9-_]+"',
    '{"apiKey": "ACME_API_KEY"}',
    "mode == 'proxy' ? 'Proxy-Authorization' : 'Authorization'",
    'HTTP_CONTEXT_KEY: Final = "aiohttp_jinja2_context"',
    "ptr_ieee128_float_type_node (ptr_ibm128_float_type_node): Remove.",
    "{#pattern-2-use-responses_websocket_session-recommended-for-multi-turn-reuse-of-it}",
    "new_client(cookies=cookies,\n    extensions=extensions,\n    timeout=timeout,\n)",
    "def follows(ns_cookie, lookup=lookup):",
    "syn region acmeOptionsCookie matchgroup=acmeStickyOptions start=1",
    "def check(private_key: PKCS7PrivateKeyTypes, hash_algorithm)",
    ":param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey|Ed448PublicKey key:",
    '"MLKEM768X25519PrivateKey",\n    "MLKEM768X25519PublicKey",\n',
    "NSURLThumbnailDictionaryKey NSURLThumbnailKey NSThumbnail1024x1024SizeKey",
    "<string>AdminAuthorization</string>\n<key>AcmePkgFlagDefault2Location</key>",
    "case 27:o.key=s.C0.ESC+s.C0.ESC),o.cancel=!0;break",
    'LS32_PAT = "(?:{hex}:{hex}|{ipv4})".format(hex=HEX_PAT)',
    "<releaseManagerKey>B6E73D84EA4FCC47166087253FAAD2CD5ECBB314</releaseManagerKey>",
    "const head = '-----BEGIN PRIVATE KEY-----';\n"
    "const footer = '-----END PRIVATE KEY-----';",
    '"test": "node -u",\n    "test:watch": "node --watch"',
    "bedrockWithApiKey('anthropic.claude-3-haiku-20240307-v1:0')",
    "{'/etc/passwd': 'replaced', '/etc/hosts': 'replaced'}",
    "activation_token = _ACME_S3_MOUNT_START_SESSION.set(self)",
    'ACME_CLIENT_DEPENDENCY_KEY = "examples.remote_snapshot.s3_client"',
    "type={isHidden ? 'password' : 'text'}",
    "const clientSecret = `secret-${Math.random().toString(36).substring(7)}`;",
    # Ids of a protocol.
    '{"turnToken": "v1_ChdObXVTYVlDVEQ0SGEtOFlQbTRHRHFBaxIXTm11U2FZQ1RE"}',
    '{"_meta": {"progressToken": "YWJjZA==__s__backend1"}}',
    '{"_pagination_key": "p07564800028797632512"}',
    '{"IdempotencyToken": "527c5358-2a1a-4b9e-b1b9-7293b0ddff42"}',
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:MySecret3-a1b2c3",
    # Options, and prose about them.
    "--help --no-ask-password --no-block --encrypt-password --fail-at-end",
    "a grammar ('--passphrase', '--passphrase-fd', or '--passphrase-file')",
    "when no `--api-key` provided, a `serve --api-key` deployment",
    "[--password=PASSWORD] [--api-key=API_KEY] ‘--http-password=STRING’",
    "--private-key='/home/ann/keys/new_key2.pfx' --api-key ./keys/file2.pem",
    "gpg-wks-server --install-key C0FCF8642D830C53246211400346653590B3795B",
    "docker run --user spiped -p 9200:9200 --link x:y image",
    "redis-cli -u redis://h:6379/0; perldoc -u Some::Modulename2",
    "diff -u -p -r1.58.2.2 locate.c",
    "getent passwd some-host-0 other-host-81; reset-password creds-name-1",
    "docker run -u 1000:1000 x; docker exec -u www-data:www-data c ls",
    "7z a -p archive2026.7z dir; rar a -p backup2026.rar dir",
    "docker compose -p project2026 up; podman build -p release2026 .",
    "docker run -p=8080:8080 -p [::1]:8080:80 image",
    "docker build --secret id=npm2,src=.npmrc --secret id=token1,env=TOKEN .",
    "mysqldump -u root -p database2026 > x.sql",
    "echo 'commit-abc1234' | git cat-file --batch-check --stdin",
    "echo 'src/main2026.py' | xargs prettier --stdin",
    "the user ann on >10machines and the user bob on >app.log2026",
    # Sentences, and answers that others have like it.
    "Add the new signing key 19882D92DDA4C400C22C0D56CC2AF4472167BE03 to it.",
    "your key event-2026-abcdef-ghijkl is pressed; my token list2026-of-names-in-it",
    '{"data":{"data":{"id":"0f3b-2026","title":"Report2026"},"metadata":{"page":1}}}',
    "terraform output -raw region\nus-east-1\n",
    "sudo cat <<< report2026",
    'curl -u user:passwd "ldap://ldap.example.org/o=x"'.replace("passwd", "$PW"),
    # What programs print.
    "PASS src/components/Button2026.test.tsx (5.123 s)",
    "GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D",
    "a.py:1234:x:y:word2026",
    "and follow the login and password that are associated",
    # URLs.
    'url = f"mysql+pymysql://{USERNAME}:{PASSWORD}@{HOST}:{PORT}/db"',
    "redis[s]://[[username][:password]@][host][:port]",
    "usql {{driver}}://{{username}}:{{password}}@{{host}}",
    "'ssh://68498e23210b3a4f4e6e2a23@ssh.example.org'",
    # Tables.
    "keyword\tservice\tkpasswd\nkeyword\tservice\tpostgresql\nkeyword\tservice\tpop3s",
    "| Name | Secret |\n| ---- | ------ |\n| a | `ACME_URL_2` |\n| b | Local |\n",
    # Masked before.
    "#> password=SecretStr('**********')",
)


@pytest.mark.parametrize("depth", range(3))
@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str, depth: int) -> None:
    for _ in range(depth):
        text = json.dumps({"content": text})
    assert mask_answer(text.encode()) == (text.encode(), Counter())


PW = "Falcon7dbQkx42"

NEAR = (
    f"7z x -p«{PW}» x.7z",
    f"docker login -u me -p «{PW}»",
    f"podman login r.example.org -u me -p «{PW}»",
    f"helm registry login r.example.org -u me -p «{PW}»",
    f"docker run --rm image curl -u me:«{PW}» https://h",
    f"docker run --rm image tool -u admin:«{PW}»",
    f"curl -u me:«-{PW}» https://h",
    f"mysql -u root -p«{PW}» database2026",
    f"echo «{PW}» | passwd --stdin root",
    f"sudo -S true <<< «{PW}»",
    "terraform output -raw db_password\n«Tr0ub4dorFalcon7»\n",
    "my api key «0f3b9a7c5d1e82640f3b9a7c5d1e8264» leaked",
    f"echo «{PW}» | docker login --password-stdin",
    f"ACL SETUSER bob on >«{PW}»",
    f"user bob on >«{PW}» ~* &* +@all",
    "DB_PASSWORD=«john.smith2024»",
    "password = «correct.horse.battery2»",
    f"const apiKey = '«sk.{PW}.{PW}»';",
    f'{{"access_token": "«v1.{PW}-{PW}»"}}',
    "| name | secret |\n|---|---|\n| a | «Tr0ub4dor» |\n",
)


@pytest.mark.parametrize("text", NEAR)
def test_what_is_near_to_it_and_a_secret_is_masked(text: str) -> None:
    said, stars = planted(text)
    assert mask_answer(said)[0] == stars


@pytest.mark.parametrize(
    "alphabet",
    [
        string.ascii_letters + string.digits,
        string.ascii_letters + string.digits + "-_",
        string.ascii_lowercase + string.digits,
        string.hexdigits[:16],
    ],
)
def test_what_is_random_is_no_name_of_a_program(alphabet: str) -> None:
    chance = random.Random(f"{alphabet}1")
    for _ in range(2000):
        value = "".join(chance.choices(alphabet, k=32)).encode()
        assert is_kept_back(value, 8)
        assert not is_of_program(value, is_password=False)
