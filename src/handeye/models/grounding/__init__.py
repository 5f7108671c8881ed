"""Finding elements with a model: prompts, second looks, acceptance of its answers."""
