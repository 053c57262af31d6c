"""Files for students, complete as they are: a problem set and the program that grades it."""
