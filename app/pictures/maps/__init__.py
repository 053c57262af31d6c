"""Maps: a color for every point of a plane or every cell of a grid."""
