"""Shipped test doubles and servers."""
