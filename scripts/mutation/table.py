"""The tables for docs/detection.md: the same results give the same text."""

import collections
import pathlib

from mutation import classes

BEGIN = "<!-- made by scripts/mutate: begin -->"
END = "<!-- made by scripts/mutate: end -->"
FOLDER = "Sources/Notifier/"


def text(summary, entries, mutants, reasons):
    """All of it. `mutants` are those reached or not that the entries speak of, by key."""
    parts = [summary, meanings(entries), by_rule(entries, mutants), by_folder(entries, mutants), by_word(entries),
             survivors(entries, mutants, reasons)]
    return "\n\n".join(parts) + "\n"


def rows(header, lines, numbers="---:"):
    """The first column is text; the others are numbers unless said otherwise."""
    marks = "|".join("---" if place == 0 else numbers for place in range(len(header)))
    return "\n".join(["| " + " | ".join(header) + " |", f"|{marks}|"] + ["| " + " | ".join(line) + " |" for line in lines])


def meanings(entries):
    counts = collections.Counter(entry["class"] for entry in entries)
    lines = [(f"{kind}: {classes.MEANINGS[kind]}", str(counts[kind])) for kind in classes.ALL if kind != classes.NOT_REACHED]
    return rows(["Class", "Mistakes"], lines)


def by_rule(entries, mutants):
    return grouped("Rule", entries, lambda entry: mutants[entry["key"]]["rule"])


def by_folder(entries, mutants):
    return grouped("Folder", entries, lambda entry: mutants[entry["key"]]["file"].removeprefix(FOLDER).split("/")[0])


def grouped(title, entries, name):
    counts = collections.defaultdict(collections.Counter)
    for entry in entries:
        counts[name(entry)][entry["class"]] += 1
    kinds = [kind for kind in classes.ALL if kind != classes.NOT_REACHED]
    lines = [[group, str(sum(count.values()))] + [str(count[kind] or "") for kind in kinds] for group, count in sorted(counts.items())]
    return rows([title, "tried", *kinds], lines)


def by_word(entries):
    """Which gate, invariant or cause said it, each counted once for a mistake."""
    words = collections.Counter()
    for entry in entries:
        if entry["class"] == classes.CAUGHT:
            words.update({word.split(" = ")[0].split(" <")[0].split(" >")[0] for word in entry["said"]} or {"drawn world"})
    ranked = sorted(words.items(), key=lambda item: (-item[1], item[0]))
    return rows(["Said by", "Mistakes"], [[f"`{word}`", str(count)] for word, count in ranked])


def survivors(entries, mutants, reasons):
    """Whatever behaved differently and was not seen, with the reason that a person wrote down."""
    lines = []
    for entry in sorted(entries, key=lambda entry: entry["key"]):
        if entry["class"] != classes.UNSEEN:
            continue
        mutant = mutants[entry["key"]]
        place = pathlib.PurePath(mutant["file"]).name
        mutated = mutant["mutated"] or "nothing"
        lines.append([f"{place}: {mutant['rule']}", f"{code(mutant['original'])} → {code(mutated)}", entry["story"],
                      reasons.get(entry["key"], "not looked at yet")])
    return rows(["Behaved differently and was not seen", "Mistake", "First in", "Why"], lines, numbers="---")


def code(words):
    return "`" + words.replace("|", "\\|").replace("`", "'")[:90] + "`"


def put_into(path, words):
    """Replaces what stands between the marks of a document."""
    whole = path.read_text(encoding="utf-8")
    before, rest = whole.split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}\n\n{words}\n{END}{after}", encoding="utf-8")
