"""The APIs that clients speak: what of a request and a reply all their speakers share.

A family is a class of `base.Speech`; a speaker is one record of it (`speeches`). The
family knows its reader and its writer, and with them the places a policy may name.

To add a family: a subclass of `Speech` with `url_of`, `body` and `reader`; a reader in
`readers`, a writer in `writers`; a record in `speeches` for each who speaks it.
"""
