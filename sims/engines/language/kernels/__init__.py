"""The compiled part of the engine of language models."""
