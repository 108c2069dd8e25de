"""Works for a placeholder: gather → rank → decide.

    entries.find_answering(project, libraries, query) → Own…         the author's own entries
    gather.gather_locally(question, corpus, project)  → Here         what this machine has, own entries and corpus
    gather.works(here, lookups)                       → Gathered…    each work once, with what speaks for it
    pool_opinions.rank_works(works, …)                → Candidate…   the only order
    decision.decide(candidates, …)                    → Suggestion   whether anything fits

`candidate_set.suggest` is all of it: the first list, and with more lookups the lists after it.  What needs the project
alone is read before (`warm_up`), and what is shown of one work alone when somebody looks at it (`quoting`).
"""
