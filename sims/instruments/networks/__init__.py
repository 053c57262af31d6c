"""Trained networks, examined: decision maps, edges, removed blocks, generated text."""
