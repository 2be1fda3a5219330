"""Step-through: the raw event, the message it made, and what others made of it.

    assembled  rows of the message after an event, what the event changed marked
    messagerow these rows as lines
    breaks     where the lines of a growing text break
    client     what a mainstream client has kept
    headline   what header and status line say
    lists      widgets around these rows; events of a response
    ruler      the response on its time axis, with the play head
    stops      the dialog that chooses breakpoints
    walk       going from event to event; playing
    showing    what every pane shows of it
    hits       a text in the events and in the message
    seeking    the search in the pane in focus
    screen     all of them together

`Landing` is what the screen answers: where the debugger should go on.
"""
