"""Files that other programs read: references, quizzes for learning platforms."""
