"""One step, read through its dialect: everything derived from the recorded bytes.

In: an exchange, the dialects there are, and what requests read before it have in
common with it. Out: its decoded bodies, events, conversation, reply, and the signatures
it sent and received, each where it stands.

    readings = read_steps(session.steps)
    readings[0].conversation.messages, readings[0].received

`reading` has the views of one exchange, each computed when it is first looked at; a new
view is a new member there. `bodies` decodes what they are read from, and keeps what was
looked at last; `astray` looks for a signature where no carrier is. `read_steps` settles
among all steps which dialect each speaks. Nothing here raises on broken input, nor
judges: that is for `ledger` and `rules`.
"""

from sigscope.reader.astray import ASTRAY, JOINED, find_astray
from sigscope.reader.reading import STREAMED, Reading, read_steps

__all__ = ["ASTRAY", "JOINED", "STREAMED", "Reading", "find_astray", "read_steps"]
