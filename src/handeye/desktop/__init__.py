"""A desktop in a person's hands: its state by numbers, and acting on them (seed 002)."""
