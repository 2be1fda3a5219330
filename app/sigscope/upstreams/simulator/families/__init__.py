"""The APIs that services speak: how a request is found, judged, answered on the wire.

A family is a class of `base.SimulatedService`; a service is one record of it
(`services`). What the speakers of a family have in common stands here once: paths,
error printing, model lists. What they refuse is in `checks`, how they say a reply in
`speech`.

To add a family: a `SimulatedService` with `find`, `examine`, `speak` and `models`; what
it refuses, in the frame of `checks.frame.BodyChecks` where the body names model and
history; how it speaks. Then a record in `services` for each who speaks it.
"""
