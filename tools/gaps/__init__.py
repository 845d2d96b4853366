"""What the ledger lacks, and what of it one look-up would mend: `tools gaps`.

A gap is no fault: a record that declares a condition absent is a good record, so the rules are silent about it. This
room counts what they do not name. It reads records alone, without a database, so that it also serves a ledger nobody
has built, or one that does not validate yet. `survey` goes over the records once; `runs`, `facts`, `dates` and
`recovery` say what one part of them lacks; `sections` makes tables of it and `forms` prints them.
"""

from __future__ import annotations
