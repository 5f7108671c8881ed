"""Configuration of models: providers, prices, environment variables, keys."""
