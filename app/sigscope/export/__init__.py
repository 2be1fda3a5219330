"""Export: the evidence, in forms that others can read, run and import.

    report   Markdown: story, error, findings, runs, the confirmed fix as a diff
    curl     one request as a shell script, keys as $VARIABLES
    har      all steps as HAR 1.2, for browsers, proxies and other tools

Each format is a module with one pure function from records to bytes. What flows in has
been through the redactor of `store` already, in every format: the engine redacts the
session first and derives readings, ledger and findings from what is left, so no writer
here ever sees a secret. Where the redactor left its mark in a header or a URL, scripts
put a variable (`keys`).

To add a format: a module here, and a row in the engine's table of formats.
"""
