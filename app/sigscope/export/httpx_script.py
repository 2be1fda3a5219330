"""One request as a Python script that sends it with httpx.

The very bytes of the body, the recorded headers and no others, the answer as it comes.
Keys are read from the environment when the script runs.
"""

from __future__ import annotations

from sigscope.export.python import bytes_source, comment, text_source
from sigscope.export.records import ScriptedRequest
from sigscope.export.request import Outgoing, opening, outgoing

_MAIN = """
def main() -> int:
    with httpx.Client(timeout=120, follow_redirects=False) as client:
        client.headers.clear()  # httpx would add some of its own
        headers = [(n.encode("latin-1"), v.encode("latin-1")) for n, v in HEADERS]
        try:
            with client.stream(METHOD, URL, headers=headers, content=BODY) as answer:
                print(answer.http_version, answer.status_code, file=sys.stderr)
                for piece in answer.iter_bytes():
                    sys.stdout.buffer.write(piece)
                    sys.stdout.buffer.flush()
        except httpx.HTTPError as error:
            print(f"no answer: {error}", file=sys.stderr)
            return 3
    return 0 if answer.is_success else 1


if __name__ == "__main__":
    sys.exit(main())
"""

_VARIABLE = """
def variable(name: str, hint: str) -> str:
    value = os.environ.get(name)
    if not value:
        sys.exit(f"set the environment variable {name} to {hint}")
    return value

"""
_NEEDS = "It needs httpx: pip install httpx"


def httpx_script(sent: ScriptedRequest) -> bytes:
    """The script. Exit code 0 for an accepted request, 1 for a refused one, 3 where
    nobody answered."""
    what = outgoing(sent)
    body = bytes_source(what.body)
    imports = [name for name in ("base64", "os") if _is_needed(name, body, what)]
    lines = [
        "#!/usr/bin/env python3",
        *map(comment, [*opening(sent, what), _NEEDS]),
        *(f"import {name}" for name in imports),
        "import sys",
        "",
        "import httpx",
        "",
        _VARIABLE if what.variables else "",
        f"METHOD = {what.method!r}",
        f"URL = {text_source(what.url, 'variable')}",
        "HEADERS = [",
        *(
            f"    ({name!r}, {text_source(value, 'variable')}),"
            for name, value in what.headers
        ),
        "]",
        f"BODY = {body}",
        "",
        _MAIN,
    ]
    return "\n".join(lines).encode("utf-8", "backslashreplace")


def _is_needed(name: str, body: str, what: Outgoing) -> bool:
    return body.startswith("base64.") if name == "base64" else bool(what.variables)
