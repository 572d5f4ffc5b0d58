"""Finds the parts: every file `part_NAME.py` beside this one has a function `check(folder, simctl, notifierd)`.

The function raises what is wrong, may return a sentence of figures, and its first line of documentation says what it sets on the
program. `folder` is empty and goes when it returns.
"""

import importlib
import pathlib


def parts():
    """The functions by the parts' names, in alphabetical order."""
    files = sorted(pathlib.Path(__file__).parent.glob("part_*.py"))
    return {
        file.stem.removeprefix("part_"): importlib.import_module(f"{__package__}.{file.stem}").check for file in files
    }
