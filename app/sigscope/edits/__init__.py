"""Edits: reversible changes to a request, kept beside the recording.

In: edits and the recorded bytes. Out: new bytes in which only what the edits name
differs. `records` says what an edit is. `plan` finds the places edits mean and the
edits that contradict each other, `splice` writes into the gaps between members,
`headers` changes header lines, `apply` is the whole way. `diff` goes back: from two
bodies to the edits between them; `partners` pairs members and elements for it, with
`align` for the elements that are not the same.
`notation` reads edits as people write them, `words` says them in words, `asjson` is
their form in files, `retype` swaps the type of a value.

To add an operation: a member of `Op`, its effects in `plan`, its reader in `notation`,
its words in `words`, what it needs in `asjson`.
"""
