"""Use cases, in five rooms; the front ends and exported tests stand on them.

    sessions    opening, making, keeping and cutting sessions, and all that is derived
                from an open one
    sending     from edits to a verdict: upstreams, simulation, bisect, conversations
    recording   a recorder beside its client, held requests, what comes next
    settings    what the user sets: files, profiles, keys, carriers of their own
    export      files to take away, redacted before they are written

`Engine` (engine.engine) has one method per use case of an open session; it owns clock,
ids, files and upstreams. Nothing here prints or draws.
"""
