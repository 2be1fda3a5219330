"""The command line: parse, call the engine, print.

stdout is data, stderr is talk. Exit codes: 0 fine, 1 findings or a
verdict against, 2 usage, 3 unreadable input or no connection, 130 interrupted.

A verb is a module in `verbs` with `NAME`, `HELP`, `add_arguments(parser)` and
`run(args, console) -> int`; what it needs it imports inside `run`, so that
`sigscope --version` and `sigscope explain` do not wait for the screens.
"""
