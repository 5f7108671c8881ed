"""Scene graph, painting, dumping and touch handling of the phone's screen."""
