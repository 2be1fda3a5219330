"""Both hops of a call side by side: `pairs` says which belong together and how one gets
two of them recorded, `screen` shows what the gateway changed.
"""
