"""Consent: check that a plan does only what its task asks for, and that its end proves the task."""
