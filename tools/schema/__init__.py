"""What a record may say: the JSON Schema files, the vocabulary they carry, and checks against them.

The schema files are the one source of shapes and words; this room reads them and adds no metric, unit or
condition of its own. It knows nothing of files, rules or reports.
"""
