"""Settings: what users set, in files, variables and flags, and where files are."""
