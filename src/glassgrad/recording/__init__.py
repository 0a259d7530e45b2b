"""Which expression of a cell made which Value.

In flows the syntax tree of a cell, out flows the same program with a recorder listening to it, and
afterwards, for every Value, the place in the source where it was computed and the names it was
given. It exists because nobody should have to set ``.label`` by hand.

The room is plain Python: it knows no notebook, and it recognises Values only through the predicate
it is given, so that it works for any class.
"""

from glassgrad.recording.functions import Functions, Scope
from glassgrad.recording.instrument import Instrumenter, connect
from glassgrad.recording.recorder import Recorder
from glassgrad.recording.sites import Call, Earlier, Origin, Script, Site, Trace

__all__ = [
    "Call",
    "Earlier",
    "Functions",
    "Instrumenter",
    "Origin",
    "Recorder",
    "Scope",
    "Script",
    "Site",
    "Trace",
    "connect",
]
