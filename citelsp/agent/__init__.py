"""Finding the work behind a claim: a policy proposes actions, the loop carries them out, evidence decides.

    loop.find_works(environment, policy, limits)          → Suggestion
    rules.Rules(), model.Model(chat)                      the two policies
    claim_judge.judge_claims(environment, record, chat)   whether a work supports the sentence that cites it

Actions only read; an answer is one of the works that actions found; every quote is checked character by character.
"""
