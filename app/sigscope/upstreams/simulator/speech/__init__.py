"""What the simulated model says, and how each service puts it on the wire.

It hears a `talk.HeardTalk`; `script` decides, `prose` and `arguments` find the words,
`fading` spoils them where reasoning was lost. `chat` cuts a reply into the pieces that
chat completions come in; modules of a dialect's name put its signatures there.
"""
