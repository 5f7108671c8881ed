"""Checking what a step did, and what stands in the way."""
