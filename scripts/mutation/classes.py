"""What becomes of a mistake, from the runs that were made with it."""

# In this order in every table; the first that fits is a mistake's class.
CAUGHT = "caught"
TIMEOUT = "timeout"
BROKE = "simctl broke off"
INSUFFICIENT = "insufficient"
UNSEEN = "unseen"
LOG_ONLY = "log or order"
UNKNOWN = "other in a world"
NO_EFFECT = "no effect"
NOT_REACHED = "not reached"
ALL = (CAUGHT, TIMEOUT, BROKE, INSUFFICIENT, UNSEEN, LOG_ONLY, UNKNOWN, NO_EFFECT, NOT_REACHED)

MEANINGS = {
    CAUGHT: "a gate failed, an invariant broke, or the notifier crashed",
    TIMEOUT: "a run had no end",
    BROKE: "simctl ended without a verdict",
    INSUFFICIENT: "nothing failed, but a run proves less than the sound one (exit code 2)",
    UNSEEN: "a run went another way, and the verdict passed it",
    LOG_ONLY: "the same, but only lines of the log or the order of jobs differ",
    UNKNOWN: "a drawn world went another way and passed, perhaps in its log alone; no scenario did",
    NO_EFFECT: "every run that reaches it went like the sound one, to the byte",
    NOT_REACHED: "no run gets there",
}


def of_run(run, sound):
    """The class that one run speaks for; `sound` is the run without a mistake."""
    code = run["exit"]
    if code in (1, 3):
        return CAUGHT
    if code == 124:
        return TIMEOUT
    if code == 2 and sound["exit"] != 2:
        return INSUFFICIENT
    if code != sound["exit"]:
        return BROKE
    if run["digest"] is None:
        return BROKE
    if run["digest"] == sound["digest"]:
        return NO_EFFECT
    if run["behaviour"] == sound["behaviour"]:
        return LOG_ONLY
    if run["trace"] is None:
        return UNKNOWN
    return LOG_ONLY if set(run["trace"]) == {"log"} else UNSEEN


def of_mistake(classes, is_reached):
    """The class of a mistake, from those of its runs."""
    return min(classes, key=ALL.index) if is_reached else NOT_REACHED


def is_left(classes, patience):
    """Whether a mistake gets no more runs: `patience` of them have changed nothing but, perhaps, lines of the log."""
    found = set(classes)
    has_changed = bool(found & {BROKE, INSUFFICIENT, UNSEEN}) or (UNKNOWN in found and LOG_ONLY not in found)
    return not has_changed and len(classes) >= patience


def is_final(kind):
    """Whether more runs would tell nothing new."""
    return kind in (CAUGHT, TIMEOUT)
