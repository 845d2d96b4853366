"""Measurements of the tools against peers, made side by side in one run; figures, not assertions."""
