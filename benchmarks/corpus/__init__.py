"""Screens whose truth is known, questions about them, and the table of right, wrong and refused answers."""
