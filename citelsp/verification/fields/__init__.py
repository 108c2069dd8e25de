"""What citelsp may report as wrong: one module for each claim, with every rule that it rests on.

A rule is a function that is named for what it says; its docstring is the policy.
"""
