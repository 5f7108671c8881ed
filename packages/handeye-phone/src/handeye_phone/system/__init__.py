"""Android's system parts: desktop, dialogs, keyboards, settings, system UI."""
