"""The Panel application: every visit of this URL makes one simulation with a session of its own."""

from app.server.serving import serve_simulation

serve_simulation()
