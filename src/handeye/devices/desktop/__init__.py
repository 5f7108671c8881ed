"""Desktop device: windows, pixels, mouse and keyboard behind one interface for all operating systems."""
