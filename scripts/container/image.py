"""What an image tells whoever runs it, gathered from the instructions of its stage."""

import dataclasses
import posixpath
import re

from dockerfile import Refused

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclasses.dataclass
class Image:
    base: str
    name: str | None = None
    working_directory: str = "/"
    user: str = "root"
    environment: dict = dataclasses.field(default_factory=lambda: {"PATH": PATH})
    volumes: list = dataclasses.field(default_factory=list)
    ports: list = dataclasses.field(default_factory=list)
    stop_signal: str = "SIGTERM"
    health: list | None = None
    health_timeout: float = 30
    entry_point: list = dataclasses.field(default_factory=list)
    command: list = dataclasses.field(default_factory=list)

    def take(self, instruction):
        """Notes what the instruction says of the image; whether it was such a one."""
        name, text = instruction.name, instruction.text
        if name == "WORKDIR":
            self.working_directory = self.path(text)
        elif name == "USER":
            self.user = text
        elif name == "ENV":
            self.environment.update(self.assignments(instruction))
        elif name == "VOLUME":
            self.volumes += instruction.words() or text.split()
        elif name == "EXPOSE":
            self.ports += [int(port.removesuffix("/tcp")) for port in text.split()]
        elif name == "STOPSIGNAL":
            self.stop_signal = text
        elif name == "ENTRYPOINT":
            self.entry_point, self.command = instruction.command(), []
        elif name == "CMD":
            self.command = instruction.command()
        elif name == "HEALTHCHECK":
            self.take_health(instruction)
        else:
            return False
        return True

    def path(self, text):
        """Relative paths begin at the working directory."""
        return posixpath.normpath(posixpath.join(self.working_directory, text))

    def take_health(self, instruction):
        kind, _, rest = instruction.text.partition(" ")
        if kind != "CMD":
            raise Refused(f"line {instruction.line}: HEALTHCHECK {kind} is not known here")
        instruction.text = rest.strip()
        self.health = instruction.command()
        self.health_timeout = seconds(instruction.flags.get("timeout", "30s"))

    @staticmethod
    def assignments(instruction):
        found = re.findall(r'(\w+)=("[^"\\]*"|[^\s"\\]+)', instruction.text)
        if " ".join("=".join(pair) for pair in found) != instruction.text:
            raise Refused(f"line {instruction.line}: only ENV NAME=value is known here")
        return {name: value.strip('"') for name, value in found}


def images(instructions):
    """The image of each stage with its instructions."""
    stages = []
    for instruction in instructions:
        if instruction.name == "FROM":
            base, *name = instruction.text.split()
            if name and (len(name) != 2 or name[0].upper() != "AS"):
                raise Refused(f"line {instruction.line}: FROM IMAGE AS NAME is all that is known here")
            stages.append((Image(base, name[1] if name else None), []))
        else:
            stages[-1][1].append(instruction)
    return stages


def described(instructions):
    """What the last image says, without carrying anything out."""
    image, own = images(instructions)[-1]
    for instruction in own:
        image.take(instruction)
    return image


def seconds(text):
    """A duration such as `1m30s`."""
    units = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
    found = re.findall(r"(\d+)(ms|s|m|h)", text)
    if "".join("".join(part) for part in found) != text or not text:
        raise Refused(f"{text} is no duration")
    return sum(int(count) * units[unit] for count, unit in found)
