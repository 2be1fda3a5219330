"""What each service refuses, and what a gateway makes of a request on its way.

Modules of a dialect's name read it, translate it to contents and wrap what is said of
them; `chat_checks` is the frame of that for all of chat completions. `google` judges
contents, `thinking` Claude's blocks behind the gateways. Each returns a
`JudgedRequest`: the judgement, and what is needed to answer if nothing is refused.
"""
