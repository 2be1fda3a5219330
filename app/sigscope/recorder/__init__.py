"""The recorder: a reverse proxy on loopback that keeps what passes through it.

    client ──► client.py ──► relay.py ──► upstream.py ──► the API
                                │ tape.py
                                ▼
                            journal.py ══ memory ══► scribe.py ──► session file
                                              (a process of its own)

Traffic comes first. What arrives on one side is written to the other before anything
else is done with it: whole heads, and bodies piece by piece with their transfer coding
as it came. `heads` and `transfer` only look at them. Header lines of one connection
(`Connection`, `Keep-Alive` ...) stay behind and `Host` is replaced; nothing else is.

Events of a stream take a short way (`passage.py`): the loop's selector (`relayloop.py`)
reads them from the upstream's socket and writes them to the client's, and a millisecond
later, when nothing has come, they are noted. What may end an answer, or is the event at
which SDKs stop reading, is noted first.

An `ExchangeTape` puts the same bytes, each run with its time, into a spool: memory that
this process shares with the scribe, who takes out secrets, encodes, writes. Doing that
here would keep the loop waiting, in a thread as well (one interpreter lock). The last
bytes of an answer go to the client only after they are in the spool, so a recorder that
is killed loses nothing that a client got whole: the scribe reads the spool to its end.
If the scribe dies, another one begins at the oldest spool that is not yet written.

A spool is memory, since nothing goes to a disk before its secrets are taken out. So
that little is lost where recorder and scribe are killed together, the scribe is ready
before the port is told, new requests wait a little while it is late (`arrears.py`), the
last bytes of an answer wait until it is in the file where that could take long
(`holdback.py`), and what was written is synced four times a second (`disk.py`).

Nothing that goes wrong with recording stops the traffic (`journal.py` catches it and
tells). What is wrong on the way to the API is answered in words (`answers.py`).

With a mender (`mend.py`) each POST waits, for a second at most, for what is to be sent
in its place; answers are told to it when they are over (`answercopy.py`), and pass as
they come. It is a process of its own (`engine.recording.remotemender`), so that no
request that is being judged delays another. Both versions are recorded.

A gate (`gate.py`) sees each request before it is sent, may hold it, and lets it go as
it is, edited, or not at all.
"""
