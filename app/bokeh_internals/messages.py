"""Types of the custom messages between a page and its session."""

REQUEST, LIVE, LISTING, REPLY = "request", "live", "listing", "reply"
"""What a page asks for; and what its session sends: the picture's state, the code of its settings, a table or a file"""
