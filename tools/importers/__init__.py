"""Outputs of others on their way into the ledger: what a file states becomes a draft record, what it does not
state is declared absent, and what is no result is refused with the reason.

A format module reads its file and fills one `draft.Draft` per operating point; `names` resolves free spellings,
`batch` judges, counts and writes. Nothing here prints or asks.
"""
