"""Numbers that remember how they were computed, and the sweep that differentiates them.

Nothing in here knows of graphs as data, of notebooks or of NumPy.
"""
