"""What agents' tools show and type: forms that a stranger planted, and what is near."""

from __future__ import annotations

import json

import pytest
from tests.unit.store.secrets.planted import planted

from sigscope.store.secrets.masker import mask_answer

A40 = "q7Zt0f3bX9A7c5D1e8264Kx9HF2wza0lU3ylFvEG"
PW = "Falcon7dbQkx42"

SHOWN = (
    # What is typed into pages.
    f"await page.getByLabel('Password').fill('«{PW}»');",
    f"page.getByRole('textbox', {{ name: 'Password' }}).fill('«{PW}»')",
    f"await page.fill('#password', '«{PW}»')",
    f'driver.find_element(By.ID, "password").send_keys("«{PW}»")',
    f'{{"name":"Password","type":"textbox","ref":"e12","value":"«{PW}»"}}',
    f'<input type="password" name="p" value="«{PW}»">',
    # Commands.
    f"openssl pkcs12 -export -passout pass:«{PW}» -in x",
    f"sqlplus ann/«{PW}»@h:1521/s",
    f"smbclient //h/s -U ann%«{PW}»",
    f"lftp -u ann,«{PW}» h",
    f"mysql -uroot -p'«{PW}»' -e x",
    f"cmdkey /add:h /user:ann /pass:«{PW}»",
    f"vault operator unseal «{A40}=»",
    f"cargo login «{A40}»",
    f"gh secret set DEPLOY --body '«{A40}»'",
    f"poetry config http-basic.x ann «{PW}»",
    f"user default on >«{PW}» ~* +@all",
    f"rocommunity «{PW}»",
    f"tacacs-server key «{PW}»",
    f'export BW_SESSION="«{A40}==»"',
    f"echo 'ann:«{PW}»' | chpasswd",
    f"echo «{A40}» | gh auth login --with-token",
    f"printf '%s' '«{PW}»' | gcloud secrets versions add s --data-file=-",
    f"gh auth login --with-token <<< «{A40}»",
    f"ssh-keygen -t ed25519 -N '«{PW}»' -f k",
    f"security unlock-keychain -p «{PW}» k",
    f"redis-cli --pass «{PW}»",
    f"kubectl create secret generic s --from-literal=x=«{A40}»",
    f"htpasswd -nb ann «{PW}»",
    f"aws secretsmanager create-secret --name n --secret-string «{PW}»",
    # Files.
    f'{{"github-oauth":{{"github.com":"«{A40}»"}}}}',
    f'npmAuthIdent: "ann:«{PW}»"',
    '{"username":"ann","key":"«0f3b9a7c5d1e82640f3b9a7c5d1e8264»"}',
    f'{{"SecretString":"«{A40}»","Name":"prod/app"}}',
    f'{{"passwords":["«{PW}»"]}}',
    f'{{"password_confirmation":"«{PW}»"}}',
    f"ansible_ssh_pass=«{PW}»",
    f"UserName=a;PassWord=«{PW}»",
    f"| `API_KEY` | `«{A40}»` |",
    f"self.api_key = api_key or '«{A40}»'",
    f'let api_key = String::from("«{A40}»");',
    # What programs say.
    f"API token (keep it safe): «{A40}»",
    f"Your API key has been created: «{A40}»",
    "A temporary password is generated for root@localhost: «Fq#7Zt0&x9Kb»",
    "initial admin password:\n\n«0f3b9a7c5d1e82640f3b9a7c5d1e8264»\n",
    f'{{"name":"Cookie","value":"sid=«{A40}»"}}',
    f'--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n«{A40}»\r\n--b--',
    # Passwords with signs that URLs and shells have, too.
    "password: «Winter&D0OVWL12»",
    "Your password is «Winter&D0OVWL12»",
    "sqlserver://sa:«Copper$W5GonV36»@h:1433?database=d",
    "mysql+x://sa:«Falcon*XhtND197»@h/d",
    "sshpass -p'«River$wJtyu595»' ssh h",
)


@pytest.mark.parametrize("depth", range(3))
@pytest.mark.parametrize("text", SHOWN)
def test_what_tools_of_agents_show_is_masked(text: str, depth: int) -> None:
    said, stars = planted(text, depth)
    assert mask_answer(said)[0] == stars


NEAR = (
    "await page.getByLabel('Password').fill(process.env.PASSWORD);",
    "page.fill('#password', password)",
    '["username","password","address1"]',
    '{"password":{"type":"string"},"text":"report2026"}',
    '<input type="password" name="password1"> <input value="report2026">',
    "openssl rsa -passin env:PASS1234; openssl x -pass stdin",
    "the pass:through2 of it; bypass:cache1234",
    "mysql -p mydata_2026 < dump.sql",
    "mysql -u root -p$PASS1 d; echo $PASS1 | chpasswd",
    "sqlplus /nolog1 @run2.sql",
    "echo 'on >report2026.txt'; cat x on 2>errors12",
    "pydantic depends on >=2.10.3; the user relies on >=3.11.0; alert on >1000000/s",
    "docker run -p 8080:8080 -p 127.0.0.1:5432:5432/tcp -p3306:3306 mysql -p3306:3306",
    r"""podman run -p '10080-10090:80-90' x; docker run -p \"8080:8080\" nginx""",
    "community edition2026, snmp-server community public RO",
    "kubectl create configmap c --from-literal=level=debug2026",
    "--secret-string file://mycreds2026.json",
    "cat <<< report2026; vault login -method=oidc",
    "token or 'some-name-of-it'",
    "`token` | `abcdefgh` | `session`",
    '{"name":"Cookie","value":"consent=yes"}',
    'the API key (see "docs-of-version-2") is optional',
    "postgres://u:$PASSWORD1@h/d postgres://u:${PASSWORD1}@h/d",
)


@pytest.mark.parametrize("text", NEAR)
def test_what_is_near_to_it_stays(text: str) -> None:
    for body in (text, json.dumps({"c": text})):
        assert mask_answer(body.encode())[0].decode() == body
