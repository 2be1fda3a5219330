"""A linter for conversations: each rule is a file, its docstring is its manual page.

In: a step's reading, the ledger, what its answer said (`subject`). Out: findings that
name the JSON node, say what is wrong and why, and offer the edits that would mend it.

A rule is a pure generator. It states what its facts say; `runner` then weighs that
against the recorded answer: what the service accepted is no error, and what it refused
with this rule's words is one, however contested the fact.

What rules share: `places` (whose reply a message is, how servers count), `losses`
(telling what was lost without flooding), `mending`, `homecoming` and `editing` (fixes),
`answers` (nodes of a response, in the event that wrote them), `outcome` and `retries`
(how the request fared), `wording` (names in messages).

Requests repeat their history, so a rule that walks through all messages of every
request costs the square of a session. Ask first what is known at once: fates by
`Subject.met`, counts by `Subject.tally` (`tallies`), odd JSON by `Subject.odd`; what
concerns the session, by `Subject.once_in_session`.

What all rules found goes to people in `groups`, findings of one fault together;
`explanation` and `meanings` begin with an error's text or a rule's id instead.

To add a rule: a file in the folder of its dialect with the page as docstring, a `check`
generator and a `RULE` card; a line in `registry.RULES`; a test with bad and good cases.
Where a service's error speaks of it, its words in `refusals.patterns` and an entry in
`refusals.catalogue`.
"""
