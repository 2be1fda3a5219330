"""Secrets without a telling name beside them: arguments of calls, what commands print,
members of groups, lines below a name; and what is near to each."""

from __future__ import annotations

import json

import pytest
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.masker import mask_answer

A40 = "q7Zt0f3bX9A7c5D1e8264Kx9HF2wza0lU3ylFvEG"
PW = "Falcon7dbQkx42"
PHRASE = "tundra-velvet-maple34"
HEX = "0f3b9a7c5d1e82640f3b9a7c5d1e8264"
UUID = "6fa1b0d2-7c33-4be8-9f57-0d1e2a3b4c5d"

CALLS = (
    f"jwt.sign(payload, '«{A40}»')",
    f"jwt.encode({{'a': 1}}, '«{A40}»', algorithm='HS256')",
    f"crypto.createHmac('sha256', '«{A40}»')",
    f"app.use(cookieParser('«{PHRASE}»'))",
    f'new NetworkCredential("ann", "«{PW}»")',
    f"new UsernamePasswordCredential('t', 'c', 'ann', '«{PW}»')",
    f"smtp.login('ann@x.example', '«{PW}»')",
    f'DriverManager.getConnection(url, "sa", "«{PW}»")',
    f"#1 db.php(12): PDO->__construct('mysql:host=h', 'ann', '«{PW}»')",
    f"pyotp.TOTP('«{A40.upper()}»')",
)
PRINTED = (
    f"$ gcloud secrets versions access latest --secret=db\n«{PW}»\n",
    f"$ docker exec x cat /run/secrets/db\n«{PW}»\n",
    f"$ gh auth token\n«{A40}»",
    f"$ op read op://v/i/password\n«{PW}»\n",
    f"$ printenv API_KEY\n«{A40}»\n",
    f"$ echo $OPENAI_API_KEY\n«{A40}»\n",
    f"$ wg genkey\n«{A40}»=".replace("»=", "=»"),
    f"localStorage.getItem('token')\n'«{A40}»'",
    '{"type":"tool_use","name":"Bash","input":{"command":"op read op://v/i/password"}}'
    f']}},{{"type":"tool_result","tool_use_id":"toolu_1","content":"«{PW}»"}}',
    '{"function":{"arguments":"{\\"cmd\\":\\"gh auth token\\"}"}}]},{"role":"tool",'
    f'"tool_call_id":"call_1","content":"«{A40}»\\n"}}',
)
GROUPED = (
    f'{{"api_keys":{{"prod":"«{A40}»"}}}}',
    f'{{"tokens":{{"access":"«{A40}»"}}}}',
    f'{{"tokens":["short","«{A40}»"]}}',
    f'{{"passwords":{{"ann":"«{PW}»"}}}}',
    f'{{"secrets":{{"X":"«{PHRASE}»"}}}}',
    f'type: Opaque\nstringData:\n  smtp: "«{PHRASE}»"\n',
    f'{{"unseal_keys_hex":["«{HEX}»"]}}',
    f'{{"Name":"/prod/smtp","Type":"SecureString","Value":"«{PW}»"}}',
    f'{{"id":"x","type":"CONCEALED","label":"x","value":"«{PW}»"}}',
    f'{{"key":"x1","value":"«{A40}»","type":"secret","enabled":true}}',
    f"::add-mask::«{A40}»",
    f"##vso[task.setvariable variable=X;issecret=true]«{A40}»",
    f'{{"ParameterKey":"DBPassword","ParameterValue":"«{PW}»"}}',
    f"Unseal Key 1: «{A40}=»\n",
    '{"data":{"data":{"smtp":"«' + PW + '»","user":"app"},"metadata":{"version":2}}}',
    "{'kty': 'OKP', 'crv': 'Ed25519', 'd': '«" + A40 + "»'}",
    f"kty: OKP\ncrv: Ed25519\nx: abc\nd: «{A40}»\n",
)
SAID = (
    f"db_password = «{PHRASE}»",
    f"  password: «{PHRASE}»\n",
    f"{{'user': 'ann', 'pass': '«{PW}»'}}",
    f'main.Config{{Host:"h", Password:"«{PHRASE}»"}}',
    f"Config(host=h, password=«{PHRASE}», port=1)",
    f' (string) (len=8) "password": (string) (len=14) "«{PW}»"',
    f'http.Header{{"X-Api-Key":[]string{{"«{HEX}»"}}}}',
    f'api_key: Some(\n        "«{A40}»",\n    )',
    f'var password = @"«{PHRASE}»";',
    f'password = """«{PHRASE}»"""',
    f'ses_smtp_password_v4: "«{PW}»"',
    f'{{"name":"password2","value":"«{PW}»"}}',
    f"TLS_KEY_B64=«{A40}»",
    f"My password is «{PW}», please log in.",
    f"Das Passwort lautet «{PW}»",
    f"[sudo] password for ann: «{PW}»\n",
    f"The root password for db1 is `«{PW}»`.",
    f"password:\n  «{PW}»\n",
    f"API_KEY is «{A40}»",
    f"Stripe key: «{A40}»",
    f"private key: 0x«{HEX}{HEX}»\n",
    f"jwt secret: «{PHRASE}»",
    f"root:«{PHRASE}»@tcp(h:3306)/x?parseTime=true",
    f"trojan://«{PW}»@h:443?sni=x",
    f"https://n8n.example/webhook/«{UUID}»",
    f"plink -pw «{PW}» ann@h",
    f"mosquitto_pub -h h -u ann -P «{PW}» -t x",
    f" id | api_token \n----+-----------\n  1 | «{A40}»\n",
    f"+----+----------+\n| id | password |\n+----+----------+\n|  1 | «{PW}» |\n",
)
LOGINS = (
    f"connect(x)\njwt.sign(payload, '«{A40}»')",
    f"x = 1\ntokens = ['«{A40}»']",
    "pw: «Winter_qBE3s2x44»",
    # Words as base62 has them by chance.
    "token       hvs.«wkncPLfMbj6abW8RMOBSMID5»",
    "glpat-«rutMdum5Zmvtj8nXUn60»",
    f"a1 LOGIN ann «{PW}»\r\n",
    f"AUTH ann «{PHRASE}»",
    f"default credentials: admin:«{PW}»",
    f"creds: ann / «{PW}»",
    f"Admin user created: admin / «{PW}»",
    f"NICK ann\nPASS oauth:«{A40.lower()}»\n",
    f"HTPASSWD=ann:«{PW}»",
    f'{{"authType":"basic","authValue":"ann:«{PW}»"}}',
    f'{{"auth":["ann","«{PW}»"]}}',
    f"credentials = ('ann', '«{PW}»')",
    f"crypto isakmp key «{PW}» address 10.0.0.1",
    f"accounts: ['0x«{HEX}{HEX}»']",
    f"otpauth-migration://offline?data=«{A40}»",
    f"https://h.example/x?PHPSESSID=«{HEX}»",
    f"curl -b sid=«{HEX}» https://h",
    f"password   = '«{PHRASE}»'\nself       = <X>\n",
    f'a:1:{{s:8:"password";s:21:"«{PHRASE}»";}}',
    f'["password":protected]=>\n  string(14) "«{PW}»"',
    f'#{{password => <<"«{PW}»">>}}',
    f"Key   : DB_PASSWORD\nValue : «{PW}»\n",
    f"│ token          │ «{UUID}» │",
    f'{{"secrets":[{{"name":"X","value":"«{A40}»"}}]}}',
    f"Your API key is:\n«{A40}»\n",
    f"Generated token:\n\n    «{A40}»\n\nKeep it safe.",
    f'ENV.fetch("API_TOKEN") {{ "«{A40}»" }}',
    f"la contraseña es «{PW}»",
)


@pytest.mark.parametrize("depth", range(3))
@pytest.mark.parametrize("text", CALLS + PRINTED + GROUPED + SAID + LOGINS)
def test_what_a_stranger_planted_without_a_name_is_masked(
    text: str, depth: int
) -> None:
    said, stars = planted(text, depth)
    assert mask_answer(said)[0] == stars


NEAR = (
    "LOGIN ann report2026; AUTH_TYPE=oauth2; AUTH required for v2endpoints",
    "created: 2026-11-23T20:00:00Z; created: src/app2026.py; created: ann / report2026",
    "logged in with github / run12345; credentials: see page / part2026",
    '{"auth":["read","write"]}',
    "accounts: ['0x52908400098527886e0f7030069857d2e4169ee7']",
    "(0) 0x52908400098527886e0f7030069857d2e4169ee7 (10000 ETH)",
    "│ token │ count2026 │",
    "Your new key is on page12:\nreport of the year 2026\n",
    "this token ends at:\n2026-11-23T20:00:00.000000Z\n",
    "wpa-psk ascii-only; tk=short12",
    "jwt.sign(payload, process.env.KEY1, 'RS256')",
    "createHmac('sha256', key2)",
    "login('ann', 'https://h.example/x1'); login('ann@x.example', password1)",
    "getConnection(url1, 'name', '/path/of/db2026')",
    "$ gh auth token | docker login -u x\nLogin Succeeded",
    "$ echo $HOME2\nreport2026done\n",
    "$ openssl rand -hex 32 > key\n$ ls\n",
    "$ cat /run/secrets/db\ncat: /run/secrets/db: No such file or directory\n",
    "$ kubectl get secret\nNAME       TYPE     DATA   AGE\ndb-credentials-01",
    "$ kubectl get secrets -o name\nsecret/app-2026\n",
    '{"command":"gh auth token"}}]},{"type":"tool_result","content":"not logged in"}',
    '{"type":"tool_use","id":"toolu_01ABC45xyz","input":{"cmd":"gh auth token"}}',
    '{"usage":{"total_tokens":1234,"tokens":{"input":"12345678"}}}',
    '{"tokens":["Hello","world2026","_the"],"secrets":["app-name-of-2026"]}',
    '{"Credentials":{"AccessKeyId":"the-id-of-2024","UserName":"build-agent-name12"}}',
    '{"sensitive":false,"value":"Report2026Final99"}',
    '{"type":"SecureString","Name":"/prod/app2026"}',
    '{"password":{"type":"string"},"text":"Report2026x"}',
    "PASS Suite12Parses34 (0.2 s)\npass: TestUtf16Of12",
    "the password is Base64encoded, the secret is kept in vault2026",
    "your key is the-name-of-the-section",
    "the password for this is: see page12",
    "secret: app-tls-2026",
    "docker run -p 8080:80; ssh -p 2222 h; mkdir -p /srv/data2026",
    "https://api.example/repos/o/r/webhook/12345678",
    "| id | password |\n|----|----------|\n| 1  | no       |",
    '{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4","e":"AQAB"}',
)


@pytest.mark.parametrize("text", NEAR)
def test_what_is_near_to_it_stays(text: str) -> None:
    for body in (text, json.dumps({"c": text})):
        assert mask_answer(body.encode())[0].decode() == body
