"""Which timers of a process a step of the wall clock would make longer or shorter, from what the kernel says of them."""

import pathlib

# CLOCK_REALTIME and CLOCK_REALTIME_ALARM.
WALL_CLOCKS = {0, 8}


def wall_timers(pid):
    """Descriptors of the timers that are set and run by the wall clock. The program must not be under a clock of its own."""
    return [path.name for path in pathlib.Path(f"/proc/{pid}/fdinfo").iterdir() if _runs_by_wall(path)]


def _runs_by_wall(path):
    try:
        text = path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        # Closed since it was listed.
        return False
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int(fields.get("clockid", 1)) in WALL_CLOCKS and fields["it_value"].strip() != "(0, 0)"
