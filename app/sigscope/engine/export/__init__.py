"""Exports: redacted, derived anew, proven, and written whole or not at all."""
