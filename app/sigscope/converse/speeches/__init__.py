"""How clients address each service: one record each, in a file of the dialect's name.

To add a speaker of a family: a file here with a `SPEECH`, a line in `registry`, and its
faithful client as `policies/faithful-NAME.toml`.
"""
