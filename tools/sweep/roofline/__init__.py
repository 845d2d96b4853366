"""The cost model `roofline`: step times of speculative decoding from the facts of an accelerator and a model.

`parameters` has the few physical constants, `network` what a pass of a model reads and computes, `steps` the time
of a pass, `draft` that of a proposal, `shape` how many positions are verified and how many tokens a step emits,
`speedup` what follows of both, `chance` what the uncertainty of q makes of it and `critical` where the batch grows
too large. All of it is NumPy on arrays that broadcast against each other; docs/sweep.md has the formulas.
"""
