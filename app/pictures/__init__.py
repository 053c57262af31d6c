"""Building blocks of pictures: figures, diagrams, maps and the theme that colors them."""
