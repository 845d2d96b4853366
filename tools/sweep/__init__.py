"""The analytical generator: simulated speculative-decoding records from a configured study.

One module for each step: `config` reads what to compute, `workload` draws requests, `acceptance` their accepted
tokens, `cost` says what a step costs, `baseline` what plain decoding gives, `speculative` lets batches run,
`metrics` makes figures of the totals, `grid` does so for every point, `analysis` finds what they say, and
`plots` and `emit` write it all down. docs/sweep.md has the formulas beside the names used here.
"""
