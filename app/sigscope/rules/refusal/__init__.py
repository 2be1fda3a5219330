"""Refusals that no rule explains: what the service says, and what it says it about.

Asked last, and only where no other finding explains the error. Four grounds, one code
each: the request (REF-1), access (REF-2), a limit (REF-3), the service (REF-4).
"""
