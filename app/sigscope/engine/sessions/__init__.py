"""Sessions: opened, made, kept, cut and joined, and what is derived from them."""
