"""Text: normalisation, matching, labels and quotations."""
