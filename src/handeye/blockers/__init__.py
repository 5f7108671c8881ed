"""Detection of what is in the way of a step: dialogs, adverts, keyboards, permission requests."""
