"""One way to talk to a model, and one place that knows how each family writes coordinates."""
