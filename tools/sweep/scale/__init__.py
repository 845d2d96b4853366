"""Grids too large for memory or for one machine: computed in chunks, each of which becomes one Parquet file.

`plan` cuts a grid into chunks, `chunk` computes and writes one, `executors` say where that happens (here, in processes,
on a Dask cluster), `journal` remembers which are done, `run` puts them together. A chunk's bytes depend on nothing
but the plan, so any executor, any number of workers and any number of interruptions give the same files.
"""
