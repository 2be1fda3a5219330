"""Bytes in, events out: everything below the meaning of a body.

A recorded body passes through here in two steps, neither of which changes it:

    raw bytes --bodies.decode--> decoded bytes --frames.frame--> events

`bodies` takes the content codings off (gzip, deflate, br, zstd) and says how far it
came; `frames` divides what is left into events, whichever of the framings it is in
(`sse` and `eventstream` have files of their own), each with its byte span in the
decoded body and the time its last byte arrived. `headers` and `urls` read the two
other parts of a message, as tolerantly.

Nothing here raises on broken input and nothing drops bytes: what is torn, ignored by
the standard or not understood is kept with its span and named in a flag or a remark,
because a broken stream is what the user came to look at.

One more framing: a value in `events.Framing`, a function in `frames.FRAMERS`, a line
in `frames.choose_framing`, and a test of it whole, byte by byte and torn.
"""
