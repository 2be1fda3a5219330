"""What the simulated model says, and how each service puts it on the wire.

It hears a `talk.Talk`; `script` decides, `prose` and `arguments` find the words,
`fading` spoils them where reasoning was lost. The `*_wire` modules cut one reply into
the pieces of their dialect, signatures included.
"""
