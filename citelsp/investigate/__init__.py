"""What Knowledge is missing, and getting it: works for placeholders, verdicts on entries, records to insert.

Shared by server and command line; reports progress, and can be cancelled at any time.
"""
