"""Files and records: parsing with positions, pointers into a record, canonical text, and safe writing.

This room knows YAML and nothing of benchmarks: what a record must contain is the schema's business, what its
numbers must satisfy is the checks'.
"""

from tools.records.edit import replace_file
from tools.records.layout import KeyOrder, format_document, render, rewrite_document
from tools.records.parse import Document, Json, Problem, parse

__all__ = [
    "Document",
    "Json",
    "KeyOrder",
    "Problem",
    "format_document",
    "parse",
    "render",
    "replace_file",
    "rewrite_document",
]
