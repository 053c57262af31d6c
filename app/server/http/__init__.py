"""Plain HTTP: headers, clients, rates, limits, and small answers."""
