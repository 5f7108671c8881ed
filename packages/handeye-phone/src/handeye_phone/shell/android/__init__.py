"""Android's own commands."""
