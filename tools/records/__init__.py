"""Files and records: parsing with positions, pointers into a record, canonical text, and safe writing.

This room knows YAML and nothing of benchmarks: what a record must contain is the schema's business, what its
numbers must satisfy is the checks'.
"""
