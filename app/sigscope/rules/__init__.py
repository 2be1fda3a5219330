"""A linter for conversations: each rule is a file, its docstring is its manual page.

In: a step's reading, the ledger, what its answer said (`subject`). Out: findings that
name the JSON node, say what is wrong and why, and offer the edits that would mend it.

A rule is its page, its card and a check: one of `kinds` with the rule's words, or a
generator of its own. A check claims what its facts say, the card signs it; `runner`
then weighs that against the recorded answer: what the service accepted is no error, and
what it refused with this rule's words is one, however contested the fact.

What rules share: `places` (whose reply a message is, how servers count), `losses`
(telling what was lost without flooding), `fixes`, `relocation` and `edits` (what mends
it), `answers` (nodes of a response, in the event that wrote them), `outcome` and
`retries` (how the request fared), `phrases` and `words` (messages, names in them).

Requests repeat their history, so a rule that walks through all messages of every
request costs the square of a session. Ask first what is known at once: fates by
`Subject.met`, counts by `Subject.tally` (`tallies`), odd JSON by `Subject.odd`; what
concerns the session, by `Subject.once_in_session`. Of a session that grows only new
steps are judged (`sessioncheck`): a rule that looks at later ones than its own says so
on its card (`looks_ahead`).

What all rules found goes to people in `groups`, findings of one fault together;
`explanation` and `meanings` begin with an error's text or a rule's id instead.

To add a rule: a file in the package of its dialect with the page as docstring and a
`RULE` card; a line in the package's `RULES`; a test with bad and good cases. To add a
dialect's rules: a package of its stem, and a line in `registry.RULES`.
Where a service's error speaks of it, its words in `refusals.patterns` and an entry in
`refusals.catalogue`.
"""
