"""Plans: from a task to steps."""
