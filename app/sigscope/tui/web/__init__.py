"""The screens in a browser: `sigscope serve`.

textual-serve (the extra `serve`) runs the screens in a process of their own for each
browser tab and carries keys and cells over a WebSocket. What it lacks is here: a `gate`
that lets nobody in but the holder of the link, a `page` that asks no other host for
anything, and a `server`, which listens on loopback and nowhere else.

Needs aiohttp, which comes with the extra; nothing outside this package imports it.
"""
