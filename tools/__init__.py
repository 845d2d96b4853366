"""The package behind the `tools` command: records, schemas, checks and the audit trail of the ledger."""
