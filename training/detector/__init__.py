"""The element detector, a one-stage network. Its commands: `look`, `train`, `export`, `evaluate`."""
