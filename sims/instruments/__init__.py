"""Measuring instruments: what is read off a network, a run or a stack."""
