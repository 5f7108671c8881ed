"""Making the data and the weights of the embedded screen parser; not part of what ships."""
