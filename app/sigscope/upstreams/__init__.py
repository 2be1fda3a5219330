"""Where a run goes: the strict simulator, or a live API.

Each upstream takes a request and yields what comes back as it comes: a head, pieces of
body, an end. `base.collect` makes an exchange of it. `mainstream` is not one but
the reference reader of event streams that we compare ours with.
"""
