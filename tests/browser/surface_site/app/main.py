"""The product's own application."""

from app.server.serving import serve_simulation

serve_simulation()
