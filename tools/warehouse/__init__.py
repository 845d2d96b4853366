"""The ledger and its simulations as one DuckDB file: tables, views and macros, written by `tools build`.

What stands in which column is said once, in `tables.sql`: its comments name the field of a record that a column holds,
and become the comments of the database. Views and macros are files in `views/`. Python turns records into rows
(`rows`), loads them (`load`) and replaces the file (`build`); asking questions of it is left to others.
"""

from __future__ import annotations
