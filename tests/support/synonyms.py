"""A made corpus whose citations tell which words mean the same."""

import random

from citelsp.corpus.work import Work

CONCEPTS, TOPICS, WORKS = 30, 60, 12


def made(seed=3, *, is_telling=True):
    """Works on topics of three concepts, for each of which there are two words; they cite their topic's earlier works.

    With `is_telling` false they cite by chance, so that nothing can be learnt.
    """
    drawn = random.Random(seed)  # noqa: S311
    topics = [drawn.sample(range(CONCEPTS), 3) for _ in range(TOPICS)]
    for at in range(WORKS):
        for topic, concepts in enumerate(topics):
            title = " ".join(f"{drawn.choice('xy')}word{it}" for it in concepts)
            of = topic if is_telling else drawn.randrange(TOPICS)
            cited = tuple(f"t{of}w{it}" for it in drawn.sample(range(at), min(at, 4)))
            yield Work(f"t{topic}w{at}", f"{title} number{topic}n{at}", year=2000 + at, references=cited)
