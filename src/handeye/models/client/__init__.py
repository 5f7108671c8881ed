"""Requests to model servers: wire formats, transport, retries, limits."""
