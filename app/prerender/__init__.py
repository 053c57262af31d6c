"""Pictures that are made ahead: shown without a session, and scrubbed through without one."""
