"""Parsing of models' replies: from text, JSON, tags and calls to places in pixels."""
