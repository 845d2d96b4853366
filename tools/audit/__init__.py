"""The life of a record: reading its audit log, replaying it, and telling it.

An entry says what changed, by whom, when, why and on what evidence; walking the entries backwards from the
record as it stands gives every earlier state. Whether a log has the right shape is the schema's business;
what follows from one that does not replay is the checks'.
"""
