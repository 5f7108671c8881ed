"""Task patterns: their grammar, matcher and slots, and text templates."""
