"""sigscope for coding agents: the verbs as tools of the Model Context Protocol.

    server      the tools and resources, told to the official SDK (extra `mcp`)
    desk        one call: a verb run here, its JSON marked as others' words
    folder      which files may be named: those below the folder it was started in
    allowance   which live service may be asked, and how often; usually none
    mask        keys in what is answered
    excerpt     answers of bounded size

Standard output is the protocol's. A tool answers what its verb prints with `--json`, so
that an agent and its user see the same.
"""
