"""The product's own application."""

from app.serving import serve_simulation

serve_simulation()
