"""What citelsp may report as wrong, and what excuses it: one module for each claim, with every rule that it rests on.

A rule is a function that is named for what it says; its docstring is the policy.
"""
