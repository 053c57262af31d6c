"""Data that pages refer to: papers, terms, claims, versions, old names, the address of the site."""
