"""Records as rows: pure functions, one module for each kind of thing.

A function takes the record as it was parsed, valid or not, and yields the rows of every table that it fills.
`tools.warehouse.rows.record` knows which functions belong to which kind.
"""

from __future__ import annotations
