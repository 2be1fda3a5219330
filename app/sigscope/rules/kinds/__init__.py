"""What can be wrong with a signature, whatever the API: one walk each.

A rule is its page, its card, one of these and its words. Each is a record whose call
is the rule's check: `check=LeftOut(of=..., words="...")`.

`missing`: not where the service insists on it. `first_call`: so of Gemini behind.
`left_out`: not sent back, by custom. `altered`: sent, not as issued. `bypass`: one
was sent. `misplaced`: where it is not read. `foreign`: issued by another service.
`kept`: sent back beside something else than it came with. `split`: one reply in two
messages. `unpaired`: calls and results without their other half. `told`: what only the
answer tells. `not_taken`: a member that the model refuses, by its answer. `not_issued`:
something else than was issued, whatever it is. `renamed`: under another name on its
call. `unreasoned`: readable reasoning that is missing on calls; it brings the manual
page too, a speaker's rule fills the slots. `unthought`: the same of blocks, at a twin
of Anthropic's API.

Words are a template over a loss (`phrases`), or a function where that is too little.
"""
