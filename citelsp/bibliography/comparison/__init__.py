"""An entry compared with a record: a file for each field, and one for what several fields say together.

A comparison only says how two writings stand to each other; what follows from it (a verdict, a finding) is decided by
those who know how the record was found and what other sources say.
"""
