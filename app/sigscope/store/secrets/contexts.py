"""Secrets that words of a program, a protocol or a page stand before.

What is looked for begins with these words; each says whose they are. Written on
2026-11-24 from memory: the pages that are named tell of them, and were not read.
"""

from __future__ import annotations

import re

from sigscope.store.secrets.looks import is_given_by_hand
from sigscope.store.secrets.shapes import SecretShape, make_shape

_NEWLINE = r"(?:\r?\n|(?:\\+r)?\\+n)"
_QUOTE = r"""\\*["']"""
_TO_QUOTE = r"""[^\s"'\\$<{]"""
_DIGIT = r"""(?=[^\s"'\\]{0,128}\d)"""
"""What has none is mostly what a manual calls it: `auth_string`, `SECRET_KEY`."""


def _is_thought_of(text: bytes) -> bool:
    return is_given_by_hand(re.split(rb"[:/]", text, maxsplit=1)[-1])


def _is_typed(text: bytes) -> bool:
    return is_given_by_hand(re.split(rb"\\*[\"']", text, maxsplit=1)[-1])


CONTEXTS: tuple[SecretShape, ...] = (
    make_shape(
        "password of a resource",
        # registry.terraform.io/providers/hashicorp/random: resources/password
        "random_password|random_string",
        r"""(?P<keep>random_(?:password|string)\b[\s\S]{1,240}?\bresult\\*"?\s{0,8}[:=]"""
        r"""\s{0,8}\\*")(?=[^\s"\\]{0,256}\d)[^\s"\\]{8,256}(?=\\*")""",
    ),
    make_shape(
        "key of a storage account",  # learn.microsoft.com/cli/azure/storage/account
        "key1|key2",
        r"(?P<keep>key[12](?:\t|\\+t)F(?:ull|ULL)(?:\t|\\+t))[A-Za-z0-9+/]{86}==",
    ),
    make_shape(
        "secret of a vault",  # learn.microsoft.com/cli/azure/keyvault/secret
        "vault.azure.net/secrets/",
        r"""(?P<keep>vault\.azure\.net/secrets/[\w/-]{1,200}\\*"[^{}]{0,300}?\\*"value"""
        r"""\\*"\s?:\s?\\*")[^\s"\\]{6,512}(?=\\*")""",
    ),
    make_shape(
        "password hash",  # of no password, as LM has it: learn.microsoft.com, [MS-NLMP]
        "aad3b435b51404eeaad3b435b51404ee:",
        r"(?P<keep>aad3b435b51404eeaad3b435b51404ee:)[0-9a-fA-F]{32}",
    ),
    make_shape(
        "password of a command",  # everything.curl.dev/cmdline/configfile.html
        "user = |user=|proxy-user = |proxy = ",
        rf"""(?P<keep>(?:proxy-user|user|proxy)(?: = |=){_QUOTE})[\w.@-]{{1,64}}:"""
        rf"""{_TO_QUOTE}{{6,128}}(?=\\*"|@[\w.-]{{1,253}}:\d)""",
        accept=_is_thought_of,
    ),
    make_shape(
        "key of an agent",  # docs.anthropic.com/en/docs/claude-code/settings
        "apiKeyHelper",
        rf"""(?P<keep>apiKeyHelper\\*"\s?:\s?\\*"echo {_QUOTE}?)"""
        rf"""{_TO_QUOTE}{{16,512}}""",
    ),
    make_shape(
        "code of a login",  # as Claude Code asks for it
        "Paste code here|",
        r"(?P<keep>Paste code here[^:>\n\\]{0,40}[:>] ?)[\w-]{30,200}"
        r"(?:#[\w-]{30,200})?",
    ),
    make_shape(
        "assertion",  # docs.oasis-open.org/security/saml/v2.0/saml-bindings-2.0-os.pdf
        "SAMLResponse",
        r"""(?P<keep>SAMLResponse(?:=|\\*["']\s?:\s?\\*["']|\\*["'](?:\s\w+=\\*["']\w*"""
        r"""\\*["']){0,2}\svalue=\\*["']))(?:[\w+/-]|%[0-9A-F]{2}){80,65536}={0,2}""",
    ),
    make_shape(
        "server with its password",  # github.com/v2ray/v2ray-core, vmess links
        "vmess://",
        r"(?P<keep>vmess://)[\w+/-]{60,4096}={0,2}",
    ),
    make_shape(
        "key in an error",
        "provided: |provided '|provided \\",
        rf"""(?:(?<=key )|(?<=token )|(?<=secret )|(?<=password ))"""
        rf"""(?P<keep>provided:? {_QUOTE}?){_DIGIT}[\w.~+/-]{{7,511}}[\w+/=-]"""
        r"""(?=\\|["'\s,;)]|\.(?:\s|\Z))""",
    ),
    make_shape(
        "key of an application",  # docs.djangoproject.com/en/5.1/ref/settings
        "django-insecure-",
        r"""(?P<keep>django-insecure-)[^\s"'\\]{20,80}(?=\\*["']|\s|\Z)""",
    ),
    make_shape(
        "key of an application",  # api.wordpress.org/secret-key/1.1/salt
        "AUTH_|SECURE_AUTH_|LOGGED_IN_|NONCE_",
        rf"""(?P<keep>(?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)(?:{_QUOTE}\s{{0,9}},\s{{0,9}}|=)"""
        rf"""{_QUOTE})[^\n'"]{{40,120}}(?={_QUOTE})""",
    ),
    make_shape(
        "key of an application",  # expressjs.com/en/resources/middleware/session.html
        "session({",
        rf"""(?P<keep>session\(\{{[^{{}}]{{0,200}}?\bsecret: ?{_QUOTE})"""
        rf"""[^"'\\$<{{]{{4,256}}(?={_QUOTE})""",
    ),
    make_shape(
        "password of a registry",  # docs.npmjs.com/cli/v10/configuring-npm/npmrc
        ":_password=",
        rf"""(?P<keep>:_password={_QUOTE}?)[A-Za-z0-9+/]{{8,400}}={{0,2}}""",
    ),
    make_shape(
        "password of a service",  # what elasticsearch-reset-password prints
        "Password for the |New value: ",
        r"""(?P<keep>Password for the \w{1,40} user [^\n\\]{0,120}:"""
        r"""(?:\s|\\+[rn]){1,6}"""
        r"""|(?:(?<=\n)|(?<=\\n))New value: )[\w*=+-]{20}(?=\s|\\|"|\Z)""",
    ),
    make_shape(
        "password of a database",  # dev.mysql.com/doc/refman/8.4/en/set-password.html
        "SET PASSWORD|",
        rf"""(?P<keep>SET PASSWORD (?:FOR [^=\n]{{1,80}} )?(?:=|TO) ?"""
        rf"""(?:PASSWORD\()?{_QUOTE})"""
        rf"""{_DIGIT}{_TO_QUOTE}{{4,128}}(?={_QUOTE})""",
    ),
    make_shape(
        "key of a database",  # zetetic.net/sqlcipher/sqlcipher-api
        "PRAGMA |",
        rf"""(?P<keep>PRAGMA (?:re)?key ?= ?{_QUOTE}(?:x')?)"""
        rf"""{_DIGIT}{_TO_QUOTE}{{6,128}}(?={_QUOTE})""",
    ),
    make_shape(
        "key of a command",  # docs.sonarsource.com: analysis parameters
        "-Dsonar.login=|-Dsonar.token=",
        rf"""(?P<keep>-Dsonar\.(?:login|token)={_QUOTE}?){_DIGIT}\w{{20,200}}""",
    ),
    make_shape(
        "key of a command",  # min.io/docs: reference of mc, mc alias set
        "mc alias set|mc config host",
        r"""(?P<keep>mc (?:alias set|config host add) \S{1,64} \S{1,256} \S{1,128} """
        rf"""{_QUOTE}?){_DIGIT}{_TO_QUOTE}{{8,256}}""",
    ),
    make_shape(
        "password of a login",  # RFC 959, RFC 1939: what is answered tells it
        "PASS |",
        rf"""(?P<keep>PASS )[^\s\\]{{4,128}}"""
        rf"""(?={_NEWLINE}(?:230(?:-| [A-Z]| user| login)|\+OK))""",
    ),
    make_shape(
        "password of a login",  # RFC 4954; base64 of "Password:"
        "334 UGFzc3dvcmQ6|",
        rf"""(?P<keep>334 UGFzc3dvcmQ6{_NEWLINE}(?:C: |> ?|<- )?)"""
        r"""[A-Za-z0-9+/]{4,400}={0,2}""",
    ),
    make_shape(
        "key of a program",
        "_PRIVATE=|privateExponent",
        rf"""(?P<keep>(?:_PRIVATE=|privateExponent\\*"?\s?[:=]\s?){_QUOTE}?)"""
        r"""[\w+/-]{32,2048}={0,2}""",
    ),
    make_shape(
        "key of a command",  # docs.aws.amazon.com/cli: ssm put-parameter
        "--type SecureString|",
        r"""(?P<keep>--type SecureString (?:--?[\w-]{1,40} [\w/.-]{1,200} ){0,6}?"""
        rf"""--value[= ]{_QUOTE}?){_DIGIT}{_TO_QUOTE}{{6,4096}}""",
    ),
    make_shape(
        "token of a login",
        # developer.hashicorp.com: nomad acl bootstrap, consul acl bootstrap
        "Secret ID|SecretID",
        r"""(?P<keep>Secret ?ID\s{0,16}[:=]\s{1,16})[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-"""
        r"""[0-9a-f]{12}""",
    ),
    make_shape(
        "password in a page",
        "Password:</|password:</|Password</",
        r"""(?P<keep>[Pp]assword:?<\\?/(?:b|strong|label|dt|th|td|span|i)>:?\s?"""
        r"""(?:<\w+>){0,2})"""
        r"""(?=[^\s<]{0,64}\d)[^\s<>"'\\$]{6,128}""",
    ),
    make_shape(
        "password of a service",
        # docs.haproxy.org: stats auth; strongSwan's ipsec.secrets(5); rabbitmqctl(8);
        # Kickstart's rootpw
        "stats auth |: EAP |: XAUTH |rabbitmqctl |rootpw ",
        rf"""(?P<keep>stats auth [\w.@-]{{1,64}}:|: (?:EAP|XAUTH) {_QUOTE}"""
        rf"""|rabbitmqctl (?:add_user|change_password) [\w.@-]{{1,64}} {_QUOTE}?"""
        rf"""|rootpw --plaintext {_QUOTE}?){_DIGIT}[^\s"'\\$<{{*]{{6,128}}"""
        r"""(?=\\|["'\s]|\Z)""",
    ),
    make_shape(
        "password of a device",
        # cisco.com/c/en/us/support/docs/ip/open-shortest-path-first-ospf/13697-25.html
        "message-digest-key",
        rf"""(?P<keep>message-digest-key \d{{1,3}} md5 (?:\d )?){_DIGIT}"""
        r"""[^\s"'\\]{4,64}""",
    ),
    make_shape(
        "token of an account",  # twilio.com/docs/iam/api-keys: behind the account's id
        "\"AC|'AC",
        r"""(?P<keep>["']AC[0-9a-f]{32}\\*["'],\s?\\*["'])[0-9a-f]{32}(?=\\*["'])""",
    ),
    make_shape(
        "key of a WebSocket",  # see `learner`, which knows them from headers
        "openai-insecure-api-key.|base64url.bearer.authorization.k8s.io.",
        r"(?P<keep>openai-insecure-api-key\.|base64url\.bearer\.authorization\.k8s\.io\.)"
        r"[\w-]{16,8192}",
    ),
    make_shape(
        "session",
        "x-session-id|X-Session-Id|X-Session-ID",
        r"""(?P<keep>(?i:x-session-id)\\*["']?(?:,\s?\\*["']value\\*["'])?\s?[:=,]\s?\\*["']?)"""
        r"""(?=[\w.-]{0,64}\d)[\w.-]{8,256}(?=\\|["'\s,;)}]|\Z)""",
    ),
    make_shape(
        "password of a command",  # hostap's wpa_passphrase(8)
        "wpa_passphrase |",
        rf"""(?P<keep>wpa_passphrase {_QUOTE}?[\w.-]{{1,32}}{_QUOTE}? {_QUOTE}?)"""
        rf"""{_DIGIT}[^\s"'\\$<{{]{{8,64}}""",
    ),
    make_shape(
        "password of a command",
        # learn.microsoft.com/windows-server/administration/windows-commands/net-use
        "net use |",
        rf"""(?P<keep>net use (?:\S{{1,16}} )?\\+[^\s"']{{3,200}} {_QUOTE}?)"""
        rf"""{_DIGIT}[^\s"'\\$<{{/*]{{6,128}}(?={_QUOTE}?(?:\s|\\|\Z))""",
    ),
    make_shape(
        "password of a login",  # expect(1): what is typed, and Return
        'send "|send \\|send -- ',
        rf"""(?P<keep>send (?:-- )?{_QUOTE}){_DIGIT}{_TO_QUOTE}{{6,128}}(?=\\+[rn])""",
        accept=_is_typed,
    ),
)
"""As `APART` of `shapes`; with a look at what has to be there."""
