"""The search index over the entries of one bibliography: what completion asks at every keystroke.

A `Library` (libraries.py) is a frozen value: a large `Segment` for the entries as they were first read and a small one
for those edited since.  A segment (ranked_search.py) keeps sorted words with their entries (postings.py), and answers
with sets of entries as integers, one bit an entry, so that a few dozen operations match and rank tens of thousands.
"""
