"""Charts: bars, lanes, tables, curves and cards."""
