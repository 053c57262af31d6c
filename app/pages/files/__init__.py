"""Files: what pages are made from and in which version, and what browsers get besides them."""
