"""A small client of reasoning models whose mistakes are data.

It talks like the clients that lose signatures, and like those that do not:

    script -> say -> request (writers) -> upstream -> stream (readers)
        -> what was captured (flows) -> message store (memory) -> tools -> next request

Everything such a client may do wrong on that way is a field of a *policy* (`policy`),
a TOML file in `policies/` or one of the user's own (`loader`): which fields it reads,
how it puts pieces together, whether what it captured ever reaches the message store,
where it writes it, what `content` is when there are only calls, what it forgets.

`loop.talk` runs a script under a policy against an upstream and yields steps; it knows
no files. `scenario` has the conversations of the bundled sessions, `stage` is the
simulator with a clock of its own, so that the same scenario gives the same bytes.

What the speakers of one API share is its family (`families`), what a client says to one
service a record in it (`speeches`, one registry); policies know the family's places.

To add a client: a TOML file; `extends` takes another one as its ground. To add a way
of failing: a field in `policy`, its one use in a reader, flow or writer, and a test of
what it does to the wire.
"""
