"""The APIs that services speak: how a request is found, judged, answered on the wire.

A family is a class of `base.Service`; a service is one record of it (`services`).
What the speakers of a family have in common stands here once: paths, the frame of a
judgement, error printing, model lists. What they refuse is in `checks`, how they say
a reply in `speech`.

To add a family: a subclass of `Service` with `find`, `examine`, `speak`, `models`;
its speech and its checks; then a record in `services` for each who speaks it.
"""
