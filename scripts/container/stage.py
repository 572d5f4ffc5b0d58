"""Carries a stage of a Dockerfile out, in a tree of files."""

import os
import pathlib
import subprocess

from debian import inside
from dockerfile import Refused

# A build that takes longer hangs.
RUN_SECONDS = 3_600


class Stage:
    """`programs` is a folder that the path begins with, if the base image has one."""

    def __init__(self, image, tree, programs):
        self.image, self.tree, self.programs = image, tree, programs

    def carry_out(self, instruction, context, stages):
        """`stages` are those before, by name."""
        if self.image.take(instruction):
            if instruction.name == "WORKDIR":
                os.makedirs(self.inner(self.image.working_directory), exist_ok=True)
            if instruction.name == "USER":
                identity(self.tree, self.image.user)
        elif instruction.name == "RUN":
            self.run(instruction)
        elif instruction.name == "COPY":
            self.copy(instruction, context, stages)
        else:
            raise Refused(f"line {instruction.line}: {instruction.name} is not carried out")

    def run(self, instruction):
        environment = dict(self.image.environment)
        if self.programs:
            environment["PATH"] = f"{self.programs}:{environment['PATH']}"
        environment["HOME"] = identity(self.tree, self.image.user)["home"]
        prefix = as_user(self.tree, self.image.user)
        inside(self.tree, instruction.command(), environment, self.image.working_directory, prefix, timeout=RUN_SECONDS)

    def copy(self, instruction, context, stages):
        *sources, target = instruction.words() or instruction.text.split()
        if any(mark in source for source in sources for mark in "*?["):
            raise Refused(f"line {instruction.line}: patterns are not known here")
        if "from" in instruction.flags:
            if instruction.flags["from"] not in stages:
                raise Refused(f"line {instruction.line}: no stage before is called {instruction.flags['from']}")
            stage = stages[instruction.flags["from"]]
            paths = [stage.inner(source) for source in sources]
        else:
            paths = [context / source.lstrip("/") for source in sources]
        place = self.inner(self.image.path(target))
        is_folder = target.endswith("/") or target in (".", "..") or place.is_dir()
        if len(paths) > 1 and not target.endswith("/"):
            raise Refused(f"line {instruction.line}: several files need a folder with a slash at its end")
        for path in paths:
            self.copy_one(path, place, is_folder)

    def copy_one(self, path, place, is_folder):
        """A folder's contents, or a file; root's, with the mode that they have."""
        if not path.exists():
            raise SystemExit(f"COPY: there is no {path}")
        if path.is_dir():
            os.makedirs(place, exist_ok=True)
            source = f"{path}/."
        else:
            place = place / path.name if is_folder else place
            os.makedirs(place.parent, exist_ok=True)
            source = path
        subprocess.run(["cp", "--recursive", "--preserve=mode,timestamps", "--no-target-directory", source, place], check=True)

    def inner(self, path):
        """Where a path of the tree is; links are followed inside the tree."""
        found = inside(self.tree, ["readlink", "--canonicalize-missing", self.image.path(path)])
        return self.tree / found.strip().lstrip("/")


def identity(tree, user):
    """Number, group and home of a user of the tree."""
    for line in (pathlib.Path(tree) / "etc/passwd").read_text().splitlines():
        name, _, number, group, _, home, _ = line.split(":")
        if user in (name, number):
            return {"uid": int(number), "gid": int(group), "home": home}
    raise Refused(f"the tree has no user {user}")


def as_user(tree, user, *flags):
    found = identity(tree, user)
    if found["uid"] == 0 and not flags:
        return []
    return ["setpriv", f"--reuid={found['uid']}", f"--regid={found['gid']}", "--init-groups", *flags]
