"""Types of the custom messages between a page and its session."""

REQUEST, LIVE, LISTING, REPLY = "request", "live", "listing", "reply"
"""What a page asks; and what its session says of the picture, the code of its settings, and a table or a file"""
