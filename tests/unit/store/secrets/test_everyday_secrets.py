"""Secrets as tools of agents show them every day: settings, clusters, shells, errors.
What a person took for a password has blanks, or no digit, or signs."""

from __future__ import annotations

import json

import pytest
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.masker import mask_answer

A40 = "q7Zt0f3bX9A7c5D1e8264Kx9HF2wza0lU3ylFvEG"
HEX = "0f3b9a7c5d1e82640f3b9a7c5d1e8264"
PW = "Falcon.7dbQ"
B86 = (A40 * 3)[:86] + "=="
SALT = "9/G[Dq Q7+?E#yIM|>ttFP}%SuEPyHnv,nzXtsMM3J{zn`nJA7ebZ3"

DJANGO = "706i8j76b2)l#a)jlj4$_h9du*77z4)g9dpmrc)g629b+e2u$6"
WORDS = "«hunter-moon-otter»"
PLANTED = (
    # With blanks.
    'MAIL_PASSWORD="«Ocean u8iS2!»"',
    '{"user":"ann","password":"«blue otter 7k2»"}',
    'psk="«dragon cedar purple18»"',
    "EMAIL_HOST_PASSWORD = '«abcd efgh ijkl mnop»'",
    # Beside who has it.
    f"db:\n  user: ann\n  password: {WORDS}\n  port: 1\n",
    f"[db]\nuser = ann\npass = {WORDS}\n",
    f"connect(host='h', user='ann', password='{WORDS}')",
    f"{{ user: 'ann', pass: '{WORDS}' }}",
    f'{{"user":"ann","pass":"{WORDS}"}}',
    f"Server=h;User Id=ann;Password={WORDS};Encrypt=True",
    f"username=ann&password={WORDS}&x=1",
    f'<c username="ann" password="{WORDS}"/>',
    f"username: ann\npassword: {WORDS}",
    # With signs, apart from their names, or in groups.
    "  DB_PASSWORD:      «x#9$Lm%2^pQ&z»\n",
    f"SECRET_KEY = 'django-insecure-«{DJANGO}»'",
    f"SECRET_KEY = '«{DJANGO}»'",
    f"define('SECURE_AUTH_SALT', '«{SALT}»');",
    f"AUTH_SALT='«{SALT}»'",
    "api_key: «tok-5h2k-9d8s-77ab»\n",
    "Authorization: «k3Jd82Lq0ZxP5vTn»\n",
    '{"Proxy-Authorization": "«k3Jd82Lq0ZxP5vTn»"}',
    "cli serve --token «k3Jd82Lq0ZxP5vTn»",
    '{"token":"«k3Jd82Lq0ZxP5vTn»"}',
    f'properties.setProperty("ssl.trustStorePassword", "«{PW}»")',
    f"os.getenv('DB_PASSWORD', '«{PW}»')",
    "app.use(session({ name: 'a', secret: '«keyboard otter»', resave: false }))",
    # What people and errors say.
    "the db password is «otter572»",
    "My password is: «hunter42!»",
    f"the credentials are ann:«{PW}»",
    "Incorrect API key provided: «PLANTED-SECRET-0042». You can find yours at",
    f"API key not valid: '«{A40}»'. Please pass another one.",
    # What programs take, keep and print.
    f"curl https://h.example/v1/charges -u «{A40}»:",
    "//npm.h.example/:_password=«TWFwbGVlaHdUcDAxIQ==»",
    f'{{"keyName": "key1", "permissions": "FULL", "value": "«{B86}»"}}',
    f'{{"name": "API_SECRET", "slotSetting": false, "value": "«{PW}»"}}',
    f"ipmitool -H h -U admin -P «{PW}» chassis status",
    f'echo "«{A40}»" | vercel env add API_KEY production',
    f"$ aws codeartifact get-authorization-token --domain d --output text\n«{A40}»\n",
    f"$ kubectl get secret s -o json | base64 -d; echo\n«{A40}»\n",
    f"$ cat config/master.key\n«{HEX}»\n",
    f"$ pwgen -s 40 1\n«{A40}»\n",
    f"Use this password to proceed to installation:\n\n«{HEX}»\n",
    "Password for the elastic user (reset with `x`):\n  «2luaq30DtAMq94F8epRy»\n",
    "User.objects.create_user('ann', 'a@x.example', '«Falcon!7dbQ»')",
    "user.set_password('«Falcon!7dbQ»')",
    f'"Jwt": {{\n  "Key": "«{WORDS[1:-1]}-maple2»"\n}}',
    f"'crypt' => ['key' => '«{HEX}»'],",
    f'{{"bearer": {{"h.example": "«{A40}»"}}}}',
    f"stats auth admin:«{PW}»\n",
    f'ann : EAP "«{PW}»"\n',
    f"rabbitmqctl add_user ann «{PW}»",
    f"rootpw --plaintext «{PW}»",
    "set imap_pass = '«rocketfalcon89»'",
    "gpg --passphrase '«copper coffee 28ab»' --batch -c f",
    '{"Type": "SecureString", "Value": "«Copper_8lNC»"}',
    "Array (\n    [user] => ann\n    [password] => «Copper_8lNC»\n)",
    "new PDO('mysql:host=h;dbname=d', 'ann', '«Tiger-x7Qa2»');",
    'properties.put("password", "«Tiger-x7Qa2»");',
    "This will reset it.\nNew value: «2luaq30DtAMq94F8epRy»\n",
)

TYPED = "Copper!8lNC2"
THOUGHT_OF = "tiger4821"
LIBRARIES = (
    "jwt.verify(t, '%s')",
    "jwt.decode(t, '%s')",
    "hmac.new('%s')",
    "Fernet('%s')",
    "pyotp.TOTP('%s')",
    "telebot.TeleBot('%s')",
    "ClientSecretCredential('t', 'c', '%s')",
    "Credentials(name, '%s')",
    "Credentials.create('ann', '%s')",
    "Credentials.basic('ann', '%s')",
    "HTTPBasicAuth(name, '%s')",
    "redis.auth('%s')",
    "db.auth(name, '%s')",
    "WiFi.begin('net', '%s')",
    "client.username_pw_set('ann', '%s')",
    "keyring.set_password('s', 'ann', '%s')",
    "keytar.setPassword('s', 'ann', '%s')",
    "Twilio('sid', '%s')",
)
PROGRAMS = (
    "$ secret-tool lookup a b\n%s\n",
    "$ heroku auth:token\n%s\n",
    "$ gcloud auth print-access-token\n%s\n",
    "$ bw unlock --raw\n%s\n",
    "$ aws ssm get-parameter --name a --output text\n%s\n",
    "$ keyring get a b\n%s\n",
    "redis-cli -h h --pass %s ping",
    "plink -pw %s ann@h",
    "codecov -t %s",
    "signtool sign /f a.pfx /p %s a.exe",
    "mitmproxy --proxyauth ann:%s",
    "tfx login --pat %s",
)


@pytest.mark.parametrize("depth", range(2))
@pytest.mark.parametrize(
    "text",
    [
        *(text % f"«{TYPED}»" for text in LIBRARIES),
        *(text % f"«{THOUGHT_OF}»" for text in PROGRAMS),
    ],
)
def test_what_libraries_and_programs_are_given_is_masked(text: str, depth: int) -> None:
    said, stars = planted(text, depth)
    assert mask_answer(said)[0] == stars


@pytest.mark.parametrize("depth", range(3))
@pytest.mark.parametrize("text", PLANTED)
def test_what_tools_show_every_day_is_masked(text: str, depth: int) -> None:
    said, stars = planted(text, depth)
    blanks = bytes(
        32 if byte == 32 else star for byte, star in zip(said, stars, strict=True)
    )
    assert mask_answer(said)[0] == blanks


NEAR = (
    # What fields, types and manuals say.
    '{"password": "Must be at least 8 characters"}',
    '{"password": "Enter your OAuth2 password"}',
    'password: "Passwort v2 eingeben"',
    "username: Username\npassword: Password\n",
    "username: str\npassword: SecretStr\n",
    "{ username: form.username, password: this.password2 }",
    "user: me\npass: true\n",
    "{ user: user.name, pass: config.smtp_pass }",
    "login: ann\npassword: $DB_PASSWORD\n",
    "the password is sha256 of it, the password is bcrypt12",
    "the password is required; the password is not shown",
    "the password is step by step",
    "grant_types: ['password', 'oauth2x', 'token2fa']",
    "--token your_token_here, --token TOKEN, --token test-token.",
    '{"token":"k3Jd82Lq0ZxP5v"}',
    '{"token":"2026-11-24T10:00"}',
    '{"nextPageToken":"k3Jd82Lq0ZxP5vTn"}',
    # What looks like the new forms.
    "api_key: my-first-api-key-2\n",
    "Incorrect API key provided: sk-ab******yz. You can find yours at",
    "the number provided: 12345678",
    "New value: 12 of 20",
    "$ cat src/token\nimport os2pkg\n"[:-8],
    "AUTH_SALT=''\ndefine('AUTH_KEY', 'put your unique phrase here');",
    "session({ name: 'a' })",
    "curl -u ann: https://h.example/",
    '{"keyName": "key1", "value": "on"}',
    '{"name": "API_SECRET", "slotSetting": false, "value": "$SECRET"}',
    f'{{"cache": {{"key": "{HEX}"}}}}, {{"bearer": {{"format": "{"jwt" * 6}"}}}}',
    '["password", "OAuth2Code"]; connect("h", "ann", "the_table_2")',
    '{"5sg7KCrr": "Password", "6PgVSeKg": "Again"}',
    "jwt = {'key': 'sub', 'alg': 'HS256'}; encryption: { key: keyId2 }",
    "stats auth is told; rabbitmqctl add_user NAME PASSWORD; [::1]:587 is open",
    "user.set_password('new_password'); create_user('ann', 'a@x.example', 'Password')",
)


@pytest.mark.parametrize("text", NEAR)
def test_what_is_near_to_it_stays(text: str) -> None:
    for body in (text, json.dumps({"c": text})):
        assert mask_answer(body.encode())[0].decode() == body


CARRIERS = (
    *("signature", "thoughtSignature", "thought_signature", "encrypted_content"),
    *("redacted_thinking", "data", "reasoning_opaque", "opaque", "encrypted"),
)


@pytest.mark.parametrize("name", CARRIERS)
def test_a_signature_beside_such_words_stays(name: str) -> None:
    """Each in the member before it, and who signed in between."""
    for text in ("password", "user", "New value: ", "session({", "key provided: "):
        for value in (B86, A40 * 4, f"{A40}/{A40}+{A40}"):
            body = json.dumps({"type": text, name: value, "user": {"c": text}}).encode()
            assert mask_answer(body)[0] == body
