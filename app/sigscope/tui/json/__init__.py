"""The JSON pane: request, response, events, raw bytes and differences, all virtual.

What flows: a `JsonSubject` (readings, marks, offered fields) and the edits that are on
come in; `EditsChanged`, `EditorWanted`, `NodeChosen`, `TabShown` and `CopyRequested` go
out. The pane keeps nothing of a session; the screen owns edits and their history
(`EditHistory`).

Plain Python, and tested without a terminal: `outline` counts the rows of a tree of
which only the unfolded part exists, `folds` is an outline with the row that is chosen
and what keys fold from there; `source` is a JSON document shared with a reading thread;
`documentmodel` is a document as rows, `diffmodel` two of them compared, `rawlines` its
bytes, `eventlist` the events of a stream; `rowroom` is what all of them are drawn for;
`contents` is what each tab shows. `overlay` says what edits and offers do to nodes,
`toggles` what a toggle changes, `fieldmoves` where a marked node goes, `sheets` makes
values files for an editor and back: `fieldeditor` is all of these. `twigs` grows rows
below a node (members, offers, lines of a long string, JSON inside strings), `rows`
draws them; `lineindex` wraps bytes.

With Textual: `rowview` is a list of rows with a cursor that draws only what is visible
(`rowstrips` keeps what was painted); `tree`, `events`, `raw` and `diffview` are such
lists, and paint their models; `pane` has them, a search (`searchedtab`) and keys that
came too early (`typeahead`).

To add a tab: rows, a `RowView` that has them, its page in `contents`, a line in
`contents.Tab`.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.tui.json.copies import Copied
    from sigscope.tui.json.history import EditHistory
    from sigscope.tui.json.pane import JsonPane
    from sigscope.tui.json.rowview import RowView
    from sigscope.tui.json.subject import (
        JsonSubject,
        MarkKey,
        NodeMark,
        Offered,
        OfferedField,
        Side,
    )
else:
    __getattr__ = from_modules(
        __name__,
        {
            "copies": ("Copied",),
            "history": ("EditHistory",),
            "pane": ("JsonPane",),
            "rowview": ("RowView",),
            "subject": (
                "NodeMark",
                "MarkKey",
                "Offered",
                "OfferedField",
                "Side",
                "JsonSubject",
            ),
        },
    )

__all__ = [
    "Copied",
    "EditHistory",
    "JsonPane",
    "JsonSubject",
    "MarkKey",
    "NodeMark",
    "Offered",
    "OfferedField",
    "RowView",
    "Side",
]
