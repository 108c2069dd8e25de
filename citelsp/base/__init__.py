"""What every room stands on: documents and spans, settings, bounds, the log."""
