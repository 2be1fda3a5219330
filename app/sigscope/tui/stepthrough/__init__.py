"""Step-through: the raw event, the message it made, and what others made of it.

    walk       what is stepped through; a response that was read; where the user left
    model      the event one stands at, the clock, breakpoints, who wrote what
    assembled  rows of the message after an event, what the event changed marked
    messagerow these rows as lines
    breaks     where the lines of a growing text break
    client     what a mainstream client has kept
    headline   what header and status line say
    hits       a text in the events and in the message
    lists      widgets around these rows; events of a response
    ruler      the response on its time axis, with the play head
    places     what can be searched
    presenter  shows what the model knows, in every pane
    stops      the dialog that chooses breakpoints
    screen     composes, binds, routes

Up to `hits`, and `model`, nothing knows a terminal. `Landing` is what the screen
answers: where the debugger should go on.
"""
