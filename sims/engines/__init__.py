"""The fast trainers: compiled perceptrons and transformers of several seeds at once."""
