"""The page that holds the terminal, and the one that says why not. They load nothing
from any other host."""

from __future__ import annotations

import html
from string import Template

from textual.color import Color

from sigscope.engine.settings.sources import load_settings
from sigscope.records import dataclass
from sigscope.tui.memory import Memory
from sigscope.tui.themes import DEFAULT, variables_of
from sigscope.tui.themeshelf import ThemeShelf


@dataclass(frozen=True, slots=True, kw_only=True)
class PageColours:
    """What is seen around the terminal, and before and after it: "#14161b"."""

    dark: bool = True
    background: str = "#14161b"
    foreground: str = "#d7dae0"
    link: str = "#c3a6ff"


USUAL = PageColours()


def page_colours(theme: str | None) -> PageColours:
    """Those of the theme that the screens put on; `theme`: what the command names. One
    in the terminal's own colours has the usual ones."""
    known = ThemeShelf().themes
    wanted = (theme, load_settings().text("theme"), Memory().theme, DEFAULT)
    name = next((each for each in wanted if each in known), None)
    if name is None or known[name].ansi:
        return USUAL
    found = variables_of(known[name])

    def css(role: str) -> str:
        return Color.parse(found[role]).hex6

    return PageColours(
        dark=known[name].dark,
        background=css("background"),
        foreground=css("foreground"),
        link=css("ink-accent"),
    )


_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="$scheme">
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
html, body { margin: 0; height: 100%; overflow: hidden; background: $background; }
#terminal { width: 100vw; height: 100vh; }
.said { position: absolute; inset: 0; display: flex; align-items: center;
  justify-content: center; z-index: 10; text-align: center; line-height: 1.6;
  color: $foreground; background: $background; font: 16px "Roboto Mono", monospace; }
.-first-byte .starting { display: none; }
.ended { display: none; }
.-closed .ended { display: flex; }
.-closed .starting { display: none; }
a { color: $link; }
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


_REFUSAL = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>sigscope</title>
<link rel="icon" href="data:,">
<style nonce="$nonce">
body { margin: 0; min-height: 100vh; display: flex; align-items: center;
  justify-content: center; font: 16px/1.6 ui-monospace, monospace; }
div { max-width: 34em; margin: 2em; }
</style>
</head>
<body><div>$words</div></body>
</html>
""")


def page(*, title: str, host: str, nonce: str, colours: PageColours = USUAL) -> str:
    """The page for one visit. `nonce` marks the scripts and styles that are ours."""
    return _PAGE.substitute(
        title=html.escape(title),
        socket=html.escape(f"ws://{host}/ws"),
        nonce=html.escape(nonce),
        scheme="dark" if colours.dark else "light",
        background=html.escape(colours.background),
        foreground=html.escape(colours.foreground),
        link=html.escape(colours.link),
    )


def refusal_page(words: str, *, nonce: str) -> str:
    """Why nothing is shown, for a browser; `words`: paragraphs with a line between."""
    paragraphs = (" ".join(each.split()) for each in words.split("\n\n"))
    return _REFUSAL.substitute(
        words="".join(f"<p>{html.escape(each)}</p>" for each in paragraphs),
        nonce=html.escape(nonce),
    )


def refusal_policy(*, nonce: str) -> str:
    """What the page of a refusal may load: nothing."""
    return (
        f"default-src 'none'; style-src 'nonce-{nonce}'; img-src data:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
