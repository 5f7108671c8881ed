"""Finding one target on one frame."""
