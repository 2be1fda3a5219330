"""Recording: a recorder, its client, held requests, and the file that grows."""
