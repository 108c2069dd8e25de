"""How two writings of one thing stand to each other: titles, people, venues, and an entry with a record.

`titles`, `same_person`, `author_lists` and `venue_names` compare what they are given, whoever wrote it.  `people`,
`year`, `venue`, `volume_and_number`, `pages` and `publisher` compare a field of an entry with the record's, the rules
of `joint_rules` see several fields together, and `all_fields` is the whole comparison.

A comparison only says how two writings stand to each other; what follows from it (a verdict, a finding) is decided by
those who know how the record was found and what other sources say.
"""
