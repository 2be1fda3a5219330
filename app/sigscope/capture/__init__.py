"""Traffic that others recorded, read into exchanges.

    path --detect.detect--> format --detect.read--> Imported(exchanges, problems)

A format is recognised by what the file holds; its name decides only where two formats
hold the same (the numbered files of a request and its response). What an importer
cannot read it lists as a `Problem` with the place and the reason, and reads the rest.
What it had to rebuild (a body that the recording keeps only as parsed JSON) is said in
the exchange's remarks. Bodies are given as the bytes that were recorded, content
codings still on where the recording kept them.

One more format: a module with `recognise(source)` and `read(source)`, a line in
`detect.FORMATS`, and a test with small files made by hand. `shape` has the tolerant
look-ups that importers read foreign trees with, `values` turns what they find into
bytes, headers and times, `source` hands out the file as text, JSON or YAML, each parsed
once.
"""
