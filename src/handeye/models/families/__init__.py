"""Model families: how each writes coordinates, and the picture size that each is sent."""
