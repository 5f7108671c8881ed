"""Configuration of models: providers, prices, keys and limits."""
