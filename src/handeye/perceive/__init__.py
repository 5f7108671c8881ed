"""From a device's accessibility tree to elements on the frame."""
