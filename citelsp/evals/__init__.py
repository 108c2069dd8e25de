"""Measuring: metrics of ranked answers, and runs of the systems over benchmark files."""
