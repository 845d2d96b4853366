"""The output of benchmark programs, read into drafts: one module per format, listed in `registry`.

A format recognises its files by what they contain and reads them; what is common to all stands here once: `content`
(bytes to values, leniently), `point` (one operating point being read), `intake` (from files to a batch of records).
`docs/importing.md` says how a format is added.
"""
