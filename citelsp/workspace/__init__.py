"""The author's files as one project: which belong together, what they cite from, and what a place in them asks."""
