"""The contract of a simulation: parameters, frames with names and units, calculations, the words for numbers."""
