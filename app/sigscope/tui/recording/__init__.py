"""The recorder on screen: how it stands, what it holds, what its client says.

    recording/host.py Host ── state, looked at ──► waiting.py ──► the debugger's steps
                      ▲                            words.py  ──► bar.py, one line
                      └── release, refuse, hold ── screens/recording.py

A held request is a step without an answer, under the number that it will have in the
file; every pane shows it like any other. When the file has that step, it takes its
place. Nothing here knows asyncio or threads: the host is looked at and told.
"""
