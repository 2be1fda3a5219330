"""Secrets that words of a program, a protocol or a page stand before; a variable called
after its service alone; segments of links; and what is near to each."""

from __future__ import annotations

import json

import pytest
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.masker import mask_answer

A40 = "q7Zt0f3bX9A7c5D1e8264Kx9HF2wza0lU3ylFvEG"
PW = "Falcon7dbQkx42"
HEX = "0f3b9a7c5d1e82640f3b9a7c5d1e8264"
UUID = "6fa1b0d2-7c33-4be8-9f57-0d1e2a3b4c5d"
OTHER = "0d1e2a3b-7c33-4be8-9f57-6fa1b0d24c5d"
B86 = (A40 * 3)[:86] + "=="

PLANTED = (
    f'new Twilio.Client("AC{HEX}", "«{HEX[::-1]}»")',
    f"wpa_passphrase Office «{PW}»",
    f'"api_key": "«corp.{A40}-v1»"',
    f"net use x: \\\\files\\share «{PW}» /user:me",
    f'expect "Password:" {{ send "«{PW[:8]}#{PW[8:]}»\\r" }}',
    f"x-session-id: «{UUID}»",
    f'{{"name": "x-session-id", "value": "«{UUID}»"}}',
    f"usermod -p «{PW}» ann",
    f"snmpwalk -v3 -u ann -A «{PW}» -X «{PW}» h",
    f"snmpget -v2c -c «{PW}» h",
    f"winrs -r:h -u:ann -p:«{PW}» dir",
    f"schtasks /create /ru ann /rp «{PW}»",
    f"net rpc share list -U ann%«{PW}»",
    f"az keyvault secret set --vault-name v --name n --value «{PW}»",
    f'doppler secrets set FOO="«{UUID}»"',
    f"tailscale up --authkey=«{A40}»",
    f'<add key="Db:Password" value="«{PW}»"/>',
    f'{{"Smtp:Password": "«{PW}»"}}',
    f'var secret = []byte("«{A40}»")',
    f"<![CDATA[password=«{PW}#»]]>",
    f'output "admin_password" {{\n  value = "«{PW}»"\n}}',
    f"Password for ann: «{PW}#»",
    f"see https://api.example/v1/keys/«{A40}»/models?alt=sse",
    f"see https://api.example/api-token/«{A40}»",
    f'{{"type":"random_password","values":{{"length":24,"result":"«{PW}»"}}}}',
    f'+ resource "random_password" "db" {{\n  + result = "«{PW}»"\n}}\n',
    f'~ password = "«{PW}»" -> "{PW}"',
    f"--parameters ParameterKey=DBPassword,ParameterValue=«{PW}»",
    f"2026-01-01T00:00:00+00:00\tkey1\tFULL\t«{B86}»\n",
    f'{{"id":"https://v.vault.azure.net/secrets/n/{HEX}","value":"«{PW}»"}}',
    f"Accessor ID  = {OTHER}\nSecret ID    = «{UUID}»\n",
    f"AccessorID:       {OTHER}\nSecretID:         «{UUID}»\n",
    f"SECRET_KEY_BASE:   «{HEX}»\n",
    f"admin:1001:aad3b435b51404eeaad3b435b51404ee:«{HEX}»:::",
    f"basicauth.users=ann:$$apr1$$«abcdefgh$${HEX[:22]}»",
    f"(0) 0x«{HEX}{HEX}»\n(1) 0x«{HEX}{HEX}»\n",
    f"VAPID_PRIVATE=«{A40}»",
    f'{{"modulus":"{HEX}","privateExponent":"«{HEX}{HEX}»"}}',
    f"channels:\n  - https://conda.example/t/«{A40}»/main\n",
    "https://h.example/(S(«lit3py55t21z5v55vlm25s55»))/default.aspx",
    f"click https://h.example/reset-password/«{A40}» to go on",
    f'user = "«ann:{PW}»"\n',
    f'{{"account":"ann","code":"«{HEX}»","grant_type":"authorization_code"}}',
    f"code=«4%2F0{A40}»&grant_type=authorization_code",
    f"code_verifier=«{A40}»&grant_type=authorization_code",
    f'{{"apiKeyHelper":"echo «{A40}»"}}',
    f"Config(host=h, apiKey=Some(«{A40}»), n=1)",
    f"HikariConfig - password........................«{PW}»\n",
    f'{{"data":{{"createApiKey":{{"key":"«{A40}»","id":"1"}}}}}}',
    f"X-Vercel-Protection-Bypass: «{HEX}»",
    f"Paste code here if prompted > «{A40}#{A40}»",
    f'<setting name="Token" serializeAs="String"><value>«{A40}»</value></setting>',
    f"SAMLResponse=«{A40}{A40}»&RelayState=x",
    f'<input type="hidden" name="SAMLResponse" value="«{A40}{A40}»"/>',
    f"vmess://«{A40}{A40}»",
    f"SET PASSWORD FOR ann = '«{PW}»';",
    f"PRAGMA key='«{PW}»';",
    f"INSERT INTO `users` VALUES (1,'ann','«{PW}»','a@x.example');",
    f'3) "password"\n4) "«{PW}»"\n',
    f"| **Password** | `«{PW}»` |",
    f"<b>Password:</b> «{PW}»<br>",
    f"<th>Secret</th><td><code>«{A40}»</code></td>",
    f"sonar-scanner -Dsonar.login=«{HEX}»",
    f"$ vault kv get -mount=secret -field=passcode creds\n«{PW}»\n",
    f"mc alias set x https://h.example AKxyz0123 «{A40}»",
    f"rclone obscure «{PW}»",
    f"xfreerdp /v:h /u:ann /p:«{PW}»",
    f"Password for the elastic user (reset with `bin/x`):\n  «{PW}»\n",
    f"USER ann\r\n331 ok\r\nPASS «{PW}»\r\n230 Login successful\r\n",
    "334 UGFzc3dvcmQ6\r\n«RmFsY29uN2Ri»\r\n235 ok\r\n",
    f"username ann privilege 15 password 0 «{PW}»\n",
    f"ip ospf message-digest-key 1 md5 «{PW}»\n",
    f'{{"vars":{{"password":"\'«{PW}»\'","self":"<x>"}}}}',
    f"export OPENAI='«{A40}»'",
    f"STRIPE_LIVE=«{A40}»",
    f'{{"Variables":{{"STRIPE":"«{A40}»"}}}}',
    f"SMTP_CREDENTIALS=ann:«{PW}»",
    f"parser.add_argument('--db-password', default='«{PW}»')",
    f'db_password: str = Field(default="«{PW}»")',
    f"DB_PASSWORD: z.string().default('«{PW}»')",
    f"ENV['DB_PASSWORD'] ||= '«{PW}»'",
    f"$ENV{{DB_PASSWORD}} = '«{PW}»';",
    f"INSERT INTO t (id, db_password) VALUES (1,'«{PW}»'), (2,'{PW}');",
    f"aws ssm put-parameter --name /a --type SecureString --value «{PW}»",
    f"invalid value '«{PW}»' for DB_PASSWORD",
    f"use `«{PW}»` as DB_PASSWORD",
    f"db_password\n  Input is bad [type=x, input_value='«{PW}»', input_type=str]",
    f'127.0.0.1:6379> GET app:access_token\n"«{A40}»"',
    f'{{"password":"x","totp":"«{A40.upper()}»"}}',
    # Of 2026-11-24, late.
    f"Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.«{A40}», v1",
    f"base64url.bearer.authorization.k8s.io.«{A40}»",
    f"api_key: !!str «{A40}»",
    f"api_key: &k «{A40}»\nother: *k",
    f'password: &p "«{PW}»"',
    f'if (req.headers["x-secret"] !== "«{A40}»")',
    f'new PasswordAuthentication("ann", "«{PW}»".toCharArray())',
    f'conn.simple_bind_s("cn=ann", "«{PW}»")',
    f'driver.findElement(By.id("password")).sendKeys("«{PW}»")',
    f"API key created: «{A40}»",
    f"Recovery key: «{A40}»",
    f"https://calendar.google.com/calendar/ical/a%40h/private-«{HEX}/basic».ics",
)


@pytest.mark.parametrize("depth", range(3))
@pytest.mark.parametrize("text", PLANTED)
def test_what_stands_behind_such_words_is_masked(text: str, depth: int) -> None:
    said, stars = planted(text, depth)
    assert mask_answer(said)[0] == stars


NEAR = (
    f"https://api.example/v1/keys/{UUID}",
    f"https://vault.example/tokens/{HEX}{HEX}",
    "https://explorer.example/token/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "https://www.npmjs.com/package/js-tokens/v/9.0.1-a1b2c3d4e5f6g7h8",
    "https://docs.example/keys/rotating-keys-2024-11-release-notes-1",
    f"{{'AWS::IAM::AccessKey': '{HEX}'}}",
    'send "yes\\r"; send "list 12 files\\n"',
    "net use x: \\\\files\\share /user:me /persistent:yes",
    "curl -X DELETE -A agent-7.2.1 -c jar7.txt https://api.example",
    "usermod -aG docker ann; nuget push x7.nupkg",
    'variable "region" {\n  value = "eu-central-1"\n}',
    "password for ann: ask her",
    "x-session-id: the session's id",
    'resource "random_password" "db" {\n  length = 24\n}\n# result: (unknown)',
    "password = random_password.db.result",
    "ParameterKey=Region,ParameterValue=eu-central-1",
    "https://v.vault.azure.net/secrets/n/1 is not found",
    f"Accessor ID  = {UUID}\n",
    f"0x{HEX[:24]}\n(0) 0x52908400098527886e0f7030069857d2e4169ee7",
    "https://h.example/t/how-to-reset-the-password-of-2026/12345",
    "https://h.example/verify/this-is-the-name-of-a-page-2026/x",
    "https://h.example/(S(abc))/default.aspx",
    'services:\n  app:\n    user = "1000:1000"\n    image: node:20\n',
    '{"grant_types_supported":["authorization_code","refresh_token"],"code":"E1234"}',
    "the password.......... is asked for on page12",
    "password.\nThen 12 more.",
    '{"createApiKey":{"name":"build-agent-2026"}}',
    '<key name="disable-show-password" type="b"><default>false</default></key>',
    "[--otp &lt;otpcode&gt;]",
    "INSERT INTO users VALUES (1,'ann','2026-11-23T20:00:00Z','ann2026@x.example');",
    "INSERT INTO orders VALUES (1,'Order12Ab34','x');",
    "PASS src/Login12.test.js\nPASS Suite12\n230 tests",
    "<b>Password:</b> required<br>",
    "SET PASSWORD is a statement; PRAGMA foreign_keys = 'on2026'",
    "OPENAI=https://api.openai.com/v1/chat2026",
    f"MODEL={A40}x; OPENAI is a service",
    f"OPENAI_ORG: {UUID}",
    "GITHUB=github.com/o/r-2026-11-23-branch",
    "Accept: application/vmess; SAMLResponse=$SAML_RESPONSE",
    "parser.add_argument('--password-file', default='/etc/app2026/pw')",
    "INSERT INTO t (id, name) VALUES (1,'Falcon7dbQkx42');",
    "INSERT INTO t (id, password) VALUES (1, NULL);",
    "name\n  Input is bad [type=x, input_value='Falcon7dbQkx42', input_type=str]",
    "see 'docs/page2026.md' for DB_PASSWORD; `the-name` as API_KEY",
    "${DB_PASSWORD} = ${OTHER12}",
    '127.0.0.1:6379> GET app:name\n"Falcon7dbQkx42"',
    "<td>Password + optional TOTP</td>\n<td><b>OpenAI-compatible</b>",
    "SET PASSWORD FOR 'ann'@'localhost' = 'auth_string'",
    "PRAGMA key = 'passphrase'; PRAGMA rekey = 'newpassphrase';",
    "mc alias set ALIAS https://h.example ACCESS_KEY SECRET_KEY",
    "mc alias set local http://localhost:9000 minioadmin minioadmin",
    "ssm put-parameter --name /a --type SecureString --value parameter-value",
    "sonar-scanner -Dsonar.login=myAuthenticationToken",
    "ip ospf message-digest-key 10 md5 mypass",
    '{"type":"random_string","values":{"result":"not-computed"}}',
    "INSERT INTO user_events VALUES (1, 'Clicked-Button-3', 'HomePage2');",
    "INSERT INTO token_usage VALUES (1, 'Prompt12Tokens');",
    '{"code":"E_OAUTH2_INVALID_GRANT","grant_type":"authorization_code"}',
    "error code=oauth2_access_denied of authorization_code",
    "https://h.example/verify/0x52908400098527886E0F7030069857D2E4169EE7",
    "<th>API key</th><td><b>X-Api-Key-2</b></td>",
    "| **API Key** | `X-API-Key-v2` | header |",
    "use `OAuth2Bearer` as API_KEY; `X-Api-Key-V2` for API_KEY",
    "the password 0 is no good; password 12 chars",
    "-Dsonar.login=$TOKEN -Dsonar.host.url=https://h.example",
    "api_key: !secret openai_api_key_1\nsecret: !Ref MySecretResource1",
    'token: &defaults {timeout: 10}; assert "password" != "confirmation2"',
    'new PasswordAuthentication("ann", password.toCharArray())',
    'By.id("password")).sendKeys(PASSWORD2); API key created: 2026-11-24T10:00:00Z',
    "https://calendar.google.com/calendar/ical/en.usa%40h/public/basic.ics",
)


@pytest.mark.parametrize("text", NEAR)
def test_what_is_near_to_it_stays(text: str) -> None:
    for body in (text, json.dumps({"c": text})):
        assert mask_answer(body.encode())[0].decode() == body


@pytest.mark.parametrize("name", ["signature", "thoughtSignature", "encrypted_content"])
def test_a_signature_behind_such_words_stays(name: str) -> None:
    """Each in the member before it, and in a text beside it."""
    for text in ("OPENAI", "key1\tFULL\t", "Secret ID", "random_password", "vmess://"):
        for value in (B86, A40 * 4, f"{A40}/t/{A40}"):
            body = json.dumps({"a": text, name: value, "b": {"c": text}}).encode()
            assert mask_answer(body)[0] == body


@pytest.mark.parametrize("name", ["data", "encrypted_content", "redacted_content"])
def test_a_signature_stays_beside_an_id_that_is_called_after_a_secret(
    name: str,
) -> None:
    """As OpenRouter calls what belongs to a call: after its tool."""
    told = {"id": "tool_0_get_password", name: A40 * 4}
    for body in (told, {"c": json.dumps(told)}):
        said = json.dumps(body).encode()
        assert mask_answer(said)[0] == said


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("private key", f'{{"kty":"OKP","d":"{A40}"}}'),
        (
            "value of a Secret",
            f"apiVersion: v1\nkind: Secret\ndata:\n  a: {A40}\n",
        ),
        ("key of a service", f'{{"key1":"{A40}","key2":"{A40}"}}'),
        ("recovery phrase", f'MNEMONIC="{" ".join(["abandon", "able", "about"] * 4)}"'),
        ("code of a login", f"code={A40}&grant_type=authorization_code"),
        ("secret by its name", f"db_password\n  Bad [type=x, input_value='{PW}']"),
        ("secret by its column", f"INSERT INTO users VALUES (1,'{PW}');"),
        ("secret by its column", f"INSERT INTO t (id, db_password) VALUES (1,'{PW}');"),
        ("secret of a vault", f"Unseal Key 1: {A40}=\n"),
    ],
)
def test_the_report_says_what_was_removed(kind: str, text: str) -> None:
    masked, removed = mask_answer(text.encode())
    assert masked.decode() != text
    assert list(removed) == [kind]


@pytest.mark.parametrize("name", ["tool_0_authkey", "get_password", "Db:Password"])
def test_what_is_called_encrypted_stays_however_short_it_is(name: str) -> None:
    text = json.dumps({"id": name, "encrypted_content": A40[:32]})
    for said in (text, json.dumps({"arguments": text})):
        assert mask_answer(said.encode())[0].decode() == said
