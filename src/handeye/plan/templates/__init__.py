"""The task-template language: patterns with slots, and texts that are filled from them."""
