"""Pages and pictures as the server sends them, made by processes beside it."""
