"""Measured speculative speedups out of benchmark records, each as an operating point that can be simulated.

`points` reads the records and counts what cannot be simulated, by reason; `acceptance` finds the acceptance length
that a source states for a run; `assumptions` has what no record states, each value with its name and its reason, so
that every prediction can list what it rests on; `cost` asks the roofline what a step costs at a point.
"""
