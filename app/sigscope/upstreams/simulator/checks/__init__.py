"""What each service refuses, and what a gateway makes of a request on its way.

`google` judges contents; `gemini`, `copilot`, `openrouter` and `litellm` read one
dialect each, translate it to contents and wrap what Google says. `thinking` judges
Claude's blocks behind the gateways. Each returns a `Case`: the judgement, and what is
needed to answer if there is nothing to refuse.
"""
