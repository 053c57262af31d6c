"""Live sessions: how one is created, its websocket, and how many there may be."""
