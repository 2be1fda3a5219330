"""The wire shapes of the APIs: one module per API, no meaning.

In: the URL, headers and parsed JSON of an exchange, the events of a stream. Out: which
API this is, the body that an unstreamed call would have sent, messages and parts with
the pointers they were read from, and every place where a signature stands.

`settlement` decides what each step of a session speaks, from all of them together;
`histories` remembers what requests repeat, so that it is read once. Of APIs without a
dialect `operations` reads the path, and `shapes` finds what looks opaque.

What a dialect must not know: which signature is required, what a missing one costs.
That is for `ledger` and `rules`.

To add an API: a module with a class that fulfils `base.Dialect`, its carriers as a
table, a line in `registry.DIALECTS`, a test file with real shapes.
"""
