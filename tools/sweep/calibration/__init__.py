"""The roofline's constants from measurements, and how far what it then predicts can be trusted.

`layers` fits efficiencies and the corner of an accelerator to times of single operators. `terms` names what is left
(overheads by engine class, and how alike the experts of a request are), `model` says what a step costs with them,
`fit` finds them from measured speedups, with one source left out at a time; `predict` gives speedups with intervals,
and `store` writes all of it with its evidence.
"""
