"""Building a request from what the client remembers.

The writers know the shape of a wire and obey the policy; what a service takes or
refuses they do not know.
"""
