"""Choosing a network: the explorer, recipes, races, and the decision chart."""
