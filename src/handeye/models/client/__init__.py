"""HTTP clients for model servers with OpenAI's or Anthropic's API."""
