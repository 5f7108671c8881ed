"""Parsing of model replies: text, JSON, tags and calls to places."""
