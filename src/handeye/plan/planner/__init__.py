"""From a task to a plan: by template, from memory, by a model."""
