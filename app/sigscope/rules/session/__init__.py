"""Rules about what one step shows only beside the others, whatever the API."""
