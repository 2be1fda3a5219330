"""A linter for conversations: each rule is a file, its docstring is its manual page.

In: a step's reading, the ledger, what its answer said (`subject`). Out: findings that
name the JSON node, say what is wrong and why, and offer the edits that would mend it.

A rule is a pure generator. It states what its facts say; `runner` then weighs that
against the recorded answer: what the service accepted is no error, and what it refused
with this rule's words is one, however contested the fact.

What rules share: `places` (whose reply a message is, how servers count), `losses`
(telling what was lost without flooding), `mending` and `editing` (fixes), `answers`
(nodes of a response, in the event that wrote them), `wording` (names in messages).

To add a rule: a file in the folder of its dialect with the page as docstring, a `check`
generator and a `RULE` card; a line in `registry.RULES`; a test with bad and good cases.
"""
