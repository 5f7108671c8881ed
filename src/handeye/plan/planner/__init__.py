"""Planning by template, remembered plan or model."""
