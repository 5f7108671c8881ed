"""Pictures against pictures: template matching, its checks, fingerprints, and differences between frames."""
