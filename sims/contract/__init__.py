"""The contract of a simulation: parameters, frames with names and units, calculations, and how numbers are written."""
