"""Model families as rows of data: how each writes coordinates and what picture it is sent."""
