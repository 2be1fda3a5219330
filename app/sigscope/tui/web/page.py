"""The page that holds the terminal. It loads nothing from any other host."""

from __future__ import annotations

import html
from string import Template

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css/xterm.css">
<script nonce="$nonce">history.replaceState(null, "", "/");</script>
<script src="/static/js/textual.js"></script>
<style nonce="$nonce">
@font-face { font-family: "Roboto Mono"; font-weight: 100 700;
  src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf"); }
@font-face { font-family: "Roboto Mono"; font-weight: 100 700; font-style: italic;
  src: url("/static/fonts/RobotoMono-Italic-VariableFont_wght.ttf"); }
html, body { margin: 0; height: 100%; overflow: hidden; background: #14161b; }
#terminal { width: 100vw; height: 100vh; }
.said { position: absolute; inset: 0; display: flex; align-items: center;
  justify-content: center; z-index: 10; text-align: center; line-height: 1.6;
  color: #d7dae0; background: #14161b; font: 16px "Roboto Mono", monospace; }
.-first-byte .starting { display: none; }
.ended { display: none; }
.-closed .ended { display: flex; }
.-closed .starting { display: none; }
a { color: #c3a6ff; }
</style>
</head>
<body>
<div class="said starting">starting …</div>
<div class="said ended"><div>sigscope has ended.<br><a href="/">Open it again</a>
</div></div>
<div id="terminal" class="textual-terminal"
  data-session-websocket-url="$socket" data-font-size="15"></div>
<span id="start"></span>
</body>
</html>
""")


def page(*, title: str, host: str, nonce: str) -> str:
    """The page for one visit. `nonce` marks the scripts and styles that are ours."""
    return _PAGE.substitute(
        title=html.escape(title),
        socket=html.escape(f"ws://{host}/ws"),
        nonce=html.escape(nonce),
    )


def policy(*, host: str, nonce: str) -> str:
    """What the page may load: itself, and our socket. xterm.js writes styles of its
    own while it runs, so those are allowed on elements."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}'",
            "style-src 'self' 'unsafe-inline'",
            "font-src 'self'",
            "img-src 'self' data:",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
