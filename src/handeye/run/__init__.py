"""Carrying out a plan: locate, act, verify, recover."""
