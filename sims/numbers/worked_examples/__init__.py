"""The arithmetic of worked examples."""
