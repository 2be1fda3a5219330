"""The debugger without its screen: one model, and the parts that work on it.

A `DebuggerModel` knows the session, what is selected and shown, the edits with their
histories, the runs and the forecast; whoever observes it is told the name of what
changed. It knows no widget. What takes long goes through a `Desk`: threads, tasks,
questions and messages, which a screen has and a test makes up.

On the model work an `Editor` (undo, fixes, known mistakes), a `Sender` (upstream and
runs), a `SessionReader` (the study of the session, and its file while it grows), a
`Follower` (along one signature), a `PaneRouter` (from what panes tell to what is
selected), a `JsonLink` (which keeps the JSON pane on it), a `PaneLayout` (which panes
are on show), `SideTrips` (other screens, and what they bring back) and a `Departure`.
`headlines` says what the header and the status line say.

To add a command: a method of the part it belongs to, and in `screens/debugger.py` a
binding and an action of one line.
"""
