"""README.md of an export: a dataset card of the Hugging Face hub, whose head names the Parquet file of each table."""

from __future__ import annotations

from collections.abc import Sequence

from tools.warehouse.export_about import DESCRIPTION, NAME, TITLE, About
from tools.warehouse.export_table import Table

_READING = """\
## Reading it

```python
import duckdb

duckdb.sql("FROM 'tables/results.parquet' WHERE metric = 'tps_aggregate' AND is_point")
```

`datapackage.json` (Frictionless) describes the CSV files, `croissant.json` (Croissant) the Parquet files; both have
type, key and meaning of every column. In CSV a bar separates the items of a list, and an empty cell means that the
record does not say; load text as text in a spreadsheet, which may take a cell that begins with `=` for a formula.
`value_changes.csv` has every change of a value since it was filed.

## Before you use a number

- `is_point` is false where a value bounds a range: it is no measurement, and no average may hold it.
- `scope`, `token_kind`, `statistic` and `unit` belong to a number: a rate of all tokens is no rate of output tokens.
- `evidence` says whether a record is measured, simulated, analytical or claimed.
- `conditions` says of each of eight conditions whether it is stated or absent, and why.
- `lint_level` and `findings` say what the checks found and nobody has answered yet.
"""
_CITING = """\
The compilation is under CC BY 4.0. Cite it together with the sources that the records name: `results.source_id` and
`results.locator` lead to them. The name of this data set is `{name}`{place}."""

_SMALL, _MEDIUM, _LARGE = 1_000, 10_000, 100_000


def card(tables: Sequence[Table], about: About) -> str:
    """The card. Empty tables are left out of its head, since a viewer cannot show them."""
    results = next((table.rows for table in tables if table.name == "results"), 0)
    head = [
        "---",
        "license: cc-by-4.0",
        "language: [en]",
        f"pretty_name: '{TITLE}'",
        f"size_categories: [{_size(results)}]",
        "tags: [benchmark, llm-inference, speculative-decoding, hardware]",
        "configs:",
    ]
    for table in tables:
        if table.rows:
            head += [f"  - config_name: {table.name}", f"    data_files: {table.parquet}"]
            head += ["    default: true"] if table.name == "results" else []
    listed = [f"| `{table.name}` | {table.rows:,} | {table.comment} |" for table in tables]
    return "\n".join(
        [
            *head,
            "---",
            "",
            f"# {TITLE}",
            "",
            DESCRIPTION,
            "",
            *([f"Last change of the data: {about.published}.", ""] if about.published else []),
            _READING,
            "## Tables",
            "",
            "| table | rows | what it holds |",
            "| --- | ---: | --- |",
            *listed,
            "",
            "## Licence and citation",
            "",
            _CITING.format(name=NAME, place=f", its place {about.url}" if about.url else ""),
            "",
        ]
    )


def _size(results: int) -> str:
    if results < _SMALL:
        return "n<1K"
    if results < _MEDIUM:
        return "1K<n<10K"
    return "10K<n<100K" if results < _LARGE else "100K<n<1M"
