"""Measuring instruments: quantities read off a network, a run or a stack."""
