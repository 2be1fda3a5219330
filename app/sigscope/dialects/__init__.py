"""The wire shapes of the APIs: one module per API, no meaning.

In: the URL, headers and parsed JSON of an exchange, the events of a stream. Out: which
API this is, the body that an unstreamed call would have sent, messages and parts with
the pointers they were read from, and every place where a signature stands.

`settlement` decides what each step of a session speaks, from all of them together;
`histories` remembers what requests repeat, so that it is read once. Of APIs without a
dialect `operations` reads the path, and `shapes` finds what looks opaque.

What a dialect must not know: which signature is required, what a missing one costs.
That is for `ledger` and `rules`.

A dialect is a record (`base.Dialect`): its name, who speaks it (`services`), where
signatures stand (`carriers`), what tells it from others, which members hold what. Facts
about it stand there once and nowhere else; no other module compares its name. Dialects
of one grammar are a family, whose base class reads, assembles and recognises for all.

To add a speaker of a known family (`chat.ChatDialect`): a module with a subclass that
fills in the record, a line in `registry.DIALECTS`; code only for what its family does
not do. To add a service to a dialect that is read: a `services.Service` in its tuple.
To add a family: a base class with a reader (`history`, `message`, `conversation`,
`reply`) and an assembler of its stream. Each with a test file of real shapes. What the
stages further up need of a dialect is in their own `dialects` package, in a file of the
same name.
"""
