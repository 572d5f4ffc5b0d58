"""What is known so far, in a file that outlives interruptions, other samples and unrelated edits."""

import json
import threading

from mutation import classes, tree

FILE = tree.WORK / "results.jsonl"


class Results:
    """One entry for each mistake, by its key; the last line of a key counts."""

    def __init__(self, path=FILE):
        self.path = path
        self.lock = threading.Lock()
        self.entries = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                # The last line may be cut: the machine was switched off.
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:
                    continue
                self.entries[entry["key"]] = entry

    def put(self, entry):
        with self.lock:
            self.entries[entry["key"]] = entry
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def has(self, key, mark, patience, reaching):
        """Whether a mistake was judged in this very copy, with this patience or more, of the stories that reach it; without a mark, in any
        copy."""
        entry = self.entries.get(key)
        if entry is None or (mark is not None and entry["mark"] != mark):
            return False
        return entry["final"] or entry["runs"] >= reaching or classes.is_left(entry["kinds"].values(), patience)
