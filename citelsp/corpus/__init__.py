"""The embedded index of papers: works kept in one directory, searched in milliseconds without a network.

`store` holds what is known of each work and is the truth; `word_index` can always be rebuilt from it.  `index.Corpus`
is both together.  `place_query` turns a place in a manuscript into weighted words; `search_place` answers it.
"""
