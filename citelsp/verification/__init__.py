"""Is a reference real and rightly described: which questions to ask, and what follows from the answers.

    weighing.weigh(answers) → Weighed             which records are this work
    plan.questions(entry, answers, services)      what to ask next; nothing once it is certain
    decide.verdict(entry, answers, services)      the verdict

A verdict names the rules that it rests on: functions whose docstrings are the policy (`policy_wording.py` lists them).

docs/policy.md says what is evidence for what, and why.  All three are pure: the same answers give the same verdict, in
whatever order they came.
"""
