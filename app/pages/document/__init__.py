"""A page in the making, and what it consists of when it is finished."""
