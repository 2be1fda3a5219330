"""One method per use case; all that front ends call.

`Engine` owns the clock, ids, files and upstreams. `Document` is one open session with
everything derived from it, computed when looked at. Nothing here prints or draws.
"""
