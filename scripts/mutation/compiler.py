"""What the compiler says of the mistakes, before the long build: which of them are no Swift."""

import os
import pathlib
import re
import shutil
import subprocess

ERROR = re.compile(r"^(.+?):(\d+):(\d+): error: (.*)$")
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
# Rules after which a body may end without a result, or a variable have no value: refused somewhere behind the place.
LOOSE = {"catch-swallows", "assignment-left-out", "call-left-out", "steps-reordered", "set-forgets"}

FLOW = re.compile(r"missing return|before being initialized|may fall through|never be executed")


def host_libraries():
    """The folder of the toolchain's own swift-syntax."""
    program = pathlib.Path(os.path.realpath(shutil.which("swiftc")))
    return program.parent.parent / "lib" / "swift" / "host"


def refusals(copy):
    """File, offset in it and message of everything that is refused."""
    maps = copy / ".build" / "mutants.modulemap"
    maps.write_text(f'module CMutants {{ header "{copy}/Sources/CMutants/include/CMutants.h" export * }}\n')
    # Nothing is optimised: the checks that come behind those of types are wanted, such as a result on every way.
    command = ["swiftc", "-emit-sil", "-Onone", "-o", os.devnull, "-whole-module-optimization", "-parse-as-library"]
    command += ["-continue-building-after-errors", "-suppress-warnings", "-diagnostic-style=llvm"]
    command += ["-module-name", "Notifier", "-package-name", copy.name, "-swift-version", "6", "-I", copy / ".build/release/Modules"]
    command += [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]
    for path in [maps, *(copy / f"Sources/{name}/module.modulemap" for name in ("CSQLite", "COpenSSL"))]:
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    command += sorted((copy / "Sources/Notifier").rglob("*.swift"))
    run = subprocess.run(command, capture_output=True, text=True)
    found = [(pathlib.Path(match[1]), int(match[2]), int(match[3]), match[4])
             for match in map(ERROR.match, run.stderr.splitlines()) if match]
    if run.returncode != 0 and not found:
        raise RuntimeError(f"the compiler failed without a place: {run.stderr.strip()[-2000:]}")
    return found


def culprits(found, mutants, copy):
    """The keys of the mistakes that the refusals are about. Each refusal takes at least one."""
    keys = set()
    for path, line, column, message in found:
        name = str(path.relative_to(copy))
        own = [mutant for mutant in mutants if mutant["file"] == name]
        taken = blame(own, *position(path, line, column), message)
        if not taken:
            raise RuntimeError(f"{name}:{line}:{column}: {message}: this is no mistake of the generator's making")
        keys.update(mutant["key"] for mutant in taken)
    return keys


def position(path, line, column):
    """Offset in bytes of a place, and where its line begins and ends."""
    lines = path.read_bytes().split(b"\n")
    start = sum(len(text) + 1 for text in lines[:line - 1])
    return start + column - 1, start, start + len(lines[line - 1])


def blame(mutants, offset, line_start, line_end, message):
    """Those whose text holds the place, or who were put round it, or stand on its line; else the nearest one that can be meant."""
    inside = [mutant for mutant in mutants if mutant["textStart"] <= offset < mutant["textEnd"]]
    if inside:
        return smallest(inside, "textStart", "textEnd")
    around = [mutant for mutant in mutants if mutant["start"] <= offset < mutant["end"]]
    if around:
        return smallest(around, "start", "end")
    beside = [mutant for mutant in mutants if mutant["start"] < line_end and mutant["end"] > line_start]
    if beside:
        return beside
    if FLOW.search(message):
        mutants = [mutant for mutant in mutants if mutant["rule"] in LOOSE and mutant["start"] < offset]
    return sorted(mutants, key=lambda mutant: abs(mutant["start"] - offset))[:1]


def smallest(mutants, start, end):
    size = min(mutant[end] - mutant[start] for mutant in mutants)
    return [mutant for mutant in mutants if mutant[end] - mutant[start] == size]
