"""Replaying a graph for other numbers: recorded once as arrays, then run without its Values.

Value ──record──▶ Recording ──schedule──▶ Schedule ──▶ NumPy · numba · JAX · PyTorch

This room knows NumPy; `glassgrad.engine` loads it only when somebody compiles or exports.
"""
