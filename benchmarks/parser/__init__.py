"""What the embedded screen parser finds, measured on icons, screens, pages and phrases that its training never saw."""
