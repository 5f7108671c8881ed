"""Measure the embedded screen parser on icons, screens, pages and phrases that its training never saw."""
