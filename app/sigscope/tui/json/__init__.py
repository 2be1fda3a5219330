"""The JSON pane: request, response, events, raw bytes and differences, all virtual.

What flows: a `Subject` (readings, marks, offered rows) and the edits that are on come
in; `EditsChanged`, `EditorWanted`, `NodeChosen`, `TabShown` and `CopyRequested` go out.
The pane keeps nothing of a session; the screen owns edits and their history
(`EditHistory`).

Pure, and tested without Textual: `outline` counts the rows of a tree of which only
the unfolded part exists; `source` is a JSON document shared with a reading thread;
`overlay` says what edits and offers do to its nodes, `toggles` what a toggle changes;
`twigs` grows rows below a node (members, offers, lines of a long string, JSON inside
strings), `rows` draws them; `lineindex` wraps bytes; `textsearch` finds in pieces;
`sheets` makes values files for an editor and back, `fieldmoves` says where a marked
node goes; `eventlist` and `difference` make the rows of their tabs.

With Textual: `rowview` is a list of rows with a cursor that draws only what is
visible; `tree`, `events`, `raw` and `diffview` are such lists; `pane` is all of them,
on top of `paneviews` and `fieldeditor`, which edits values and moves nodes.

To add a tab: a view on top of `RowView`, a line in `pane.TABS`.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.tui.json.copies import Copied
    from sigscope.tui.json.history import EditHistory
    from sigscope.tui.json.pane import JsonPane
    from sigscope.tui.json.rowview import RowView
    from sigscope.tui.json.subject import Mark, MarkKey, Offered, Row, Side, Subject
else:
    __getattr__ = from_modules(
        __name__,
        {
            "copies": ("Copied",),
            "history": ("EditHistory",),
            "pane": ("JsonPane",),
            "rowview": ("RowView",),
            "subject": ("Mark", "MarkKey", "Offered", "Row", "Side", "Subject"),
        },
    )

__all__ = [
    "Copied",
    "EditHistory",
    "JsonPane",
    "Mark",
    "MarkKey",
    "Offered",
    "Row",
    "RowView",
    "Side",
    "Subject",
]
