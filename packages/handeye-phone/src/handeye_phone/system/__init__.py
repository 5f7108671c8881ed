"""Android itself: windows, dialogs, keyboards, installed apps, intents, settings."""
