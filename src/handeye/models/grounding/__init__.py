"""
Visual grounding: from a description or a reference picture to a place on the screen, with wrappers that verify it.
"""
