"""Reads a Dockerfile, and refuses what nobody here carries out: a new line must not be skipped in silence."""

import dataclasses
import json
import re

# Instructions with the flags that they may have.
KNOWN = {
    "FROM": set(), "RUN": set(), "COPY": {"from"}, "WORKDIR": set(), "USER": set(), "ENV": set(), "VOLUME": set(),
    "EXPOSE": set(), "STOPSIGNAL": set(), "ENTRYPOINT": set(), "CMD": set(),
    "HEALTHCHECK": {"interval", "timeout", "start-period", "retries"},
}
# The shell expands these by itself; everywhere else Docker would.
OF_THE_SHELL = {"RUN", "ENTRYPOINT", "CMD", "HEALTHCHECK"}


class Refused(Exception):
    """Says which line cannot be carried out, and why."""


@dataclasses.dataclass
class Instruction:
    line: int
    name: str
    flags: dict
    text: str

    def words(self):
        """The exec form's list; None for the shell form."""
        if not self.text.startswith("["):
            return None
        try:
            words = json.loads(self.text)
        except ValueError as error:
            raise Refused(f"line {self.line}: {error}, so Docker would hand it to a shell") from None
        if not all(isinstance(word, str) for word in words):
            raise Refused(f"line {self.line}: not every word is text")
        return words

    def command(self):
        """What is executed."""
        return self.words() or ["/bin/sh", "-c", self.text]


def parse(text):
    """All instructions, in order."""
    instructions = [instruction(line, joined) for line, joined in joined_lines(text)]
    if not instructions or instructions[0].name != "FROM":
        raise Refused("the first instruction is not FROM")
    return instructions


def joined_lines(text):
    """Logical lines with the number of their first; comments between their parts are gone."""
    parts, first = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("#"):
            refuse_directive(number, stripped)
            continue
        if not stripped:
            if parts:
                raise Refused(f"line {number}: an empty line between the parts of another")
            continue
        first = first if parts else number
        continues = stripped.endswith("\\")
        parts.append(stripped[:-1].strip() if continues else stripped)
        if not continues:
            yield first, " ".join(parts)
            parts = []
    if parts:
        raise Refused(f"line {first}: it never ends")


def refuse_directive(number, comment):
    found = re.fullmatch(r"#\s*(syntax|escape|check)\s*=\s*(\S+)", comment)
    if found and found.groups() != ("syntax", "docker/dockerfile:1"):
        raise Refused(f"line {number}: the directive {found[1]}={found[2]} is not known here")


def instruction(line, text):
    name, _, rest = text.partition(" ")
    name, rest, flags = name.upper(), rest.strip(), {}
    if name not in KNOWN:
        raise Refused(f"line {line}: {name} is not known here; teach scripts/container what Docker makes of it")
    while found := re.match(r"--([a-z-]+)=(\S+)\s+", rest):
        flags[found[1]] = found[2]
        rest = rest[found.end():]
    if unknown := set(flags) - KNOWN[name]:
        raise Refused(f"line {line}: {name} has flags that are not known here: {sorted(unknown)}")
    if rest.startswith("--") or (name in ("RUN", "COPY") and re.search(r"<<-?['\"]?\w", rest)):
        raise Refused(f"line {line}: neither flags without a value nor here-documents are known here")
    if name not in OF_THE_SHELL and "$" in rest:
        raise Refused(f"line {line}: variables are not known here")
    return Instruction(line, name, flags, rest)
