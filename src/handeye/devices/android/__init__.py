"""Android phones over ADB."""
