"""Tasks on the virtual phone, crossed with disturbances, and judged by the phone's own state."""
