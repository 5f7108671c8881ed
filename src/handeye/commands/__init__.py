"""One file per verb; the front doors share them."""
