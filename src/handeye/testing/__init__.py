"""Test doubles and test servers that ship with Handeye."""
