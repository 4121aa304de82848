"""Answers of an adversary's stages joined into one list of subjects (the prompts of subject_inference)."""


def joined(answers):
    """One list of subjects from the lists of several stages.

    Subjects are one when they have the same description: that at the same place in the list, else the first of that
    description that is free; others are added.

    Args:
        answers: lists of {description, pii}, in the order in which they are joined.
    """
    made = []
    for subjects in answers:
        free = set(range(len(made)))
        for place, subject in enumerate(subjects):
            at = _partner(made, free, place, subject["description"])
            if at is None:
                made.append({**subject, "pii": list(subject["pii"])})
            else:
                free.remove(at)
                made[at]["pii"] += subject["pii"]
    return made


def _partner(subjects, free, place, description):
    fitting = [at for at in sorted(free) if subjects[at]["description"] == description]
    return place if place in fitting else next(iter(fitting), None)
