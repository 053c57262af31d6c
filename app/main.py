"""The Panel application: every visit to this URL creates one simulation with its own session."""

from app.server.serving import serve_simulation

serve_simulation()
