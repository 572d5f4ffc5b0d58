"""The copy of the sources that the mistakes are planted in, and the two programs built from it."""

import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

from mutation import compiler

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / ".build" / "mutate"
COPY = WORK / "copy"
HERE = pathlib.Path(__file__).resolve().parent
# simctl as it is, and simctl with every mistake in it and none switched on.
PLAIN = WORK / "simctl-plain"
MUTATED = WORK / "simctl-mutated"
CATALOGUE = WORK / "catalogue.jsonl"
# How often the compiler is asked again; each time fewer mistakes are left.
ROUNDS = 20
MUTATED_FOLDER = "Sources/Notifier/"

# What is changed in the copy besides the notifier: file, what stands there, what stands there instead.
PATCHES = [
    # Eight columns: in what the product is compiled with, not the kit.
    ("Package.swift", "\n        .treatAllWarnings(as: .error),", ""),
    ("Package.swift", '.target(name: "JSON", swiftSettings: strict),',
     '.target(name: "JSON", swiftSettings: strict),\n        .target(name: "CMutants"),'),
    ("Package.swift", 'dependencies: ["Configuration", "Crypto", "Duties", "HTTP", "JSON", "Platform", "SQLite"],',
     'dependencies: ["CMutants", "Configuration", "Crypto", "Duties", "HTTP", "JSON", "Platform", "SQLite"],'),
    # Workers get a fixed environment; these two say which mistake is active and where hits go.
    ("Sources/Workbench/Machine/InheritedEnvironment.swift", '"LLVM_PROFILE_FILE"]',
     '"LLVM_PROFILE_FILE", "MUTANT_ACTIVE", "MUTANT_HITS"]'),
]


class Unsound(Exception):
    """The copy cannot be made: what is wrong, in a sentence."""


def lock():
    """Two at once would spoil each other's copy. The lock ends with the file that is returned."""
    WORK.mkdir(parents=True, exist_ok=True)
    file = (WORK / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Unsound("another scripts/mutate is at work here")
    return file


def prepare(say):
    """Builds both programs if the sources, the tool or the compiler have changed since; gives the catalogue of mistakes."""
    now = fingerprint()
    stamp = WORK / "built"
    if not (stamp.exists() and stamp.read_text() == now and PLAIN.exists() and MUTATED.exists()):
        stamp.unlink(missing_ok=True)
        plant(say)
        stamp.write_text(now)
    return read_catalogue()


def mark():
    """What results are of: these sources with these mistakes, whatever else of the tool has changed."""
    return hashlib.sha256((WORK / "plain").read_bytes() + CATALOGUE.read_bytes()).hexdigest()


def plant(say):
    if plain_is_old():
        say("building the copy without mistakes")
        copy_sources()
        build("simctl")
        shutil.copy2(COPY / ".build/release/simctl", PLAIN)
        (WORK / "plain").write_text(fingerprint_of(tracked()))
    say("building the generator")
    generator = build_generator(HERE / "generator", WORK / "generator")
    add_switch()
    for round_number in range(1, ROUNDS + 1):
        generate(generator, ROOT, COPY, notifier_files())
        mutants = read_catalogue()
        say(f"{len(mutants)} mistakes; asking the compiler, round {round_number}")
        refusals = compiler.refusals(COPY)
        if not refusals:
            break
        refuse(compiler.culprits(refusals, mutants, COPY))
    else:
        raise Unsound(f"the compiler still refuses mistakes after {ROUNDS} rounds")
    say(f"building the copy with {len(mutants)} mistakes")
    build("simctl")
    shutil.copy2(COPY / ".build/release/simctl", MUTATED)


def plain_is_old():
    mark = WORK / "plain"
    return not (PLAIN.exists() and mark.exists() and mark.read_text() == fingerprint_of(tracked()))


def tracked():
    command = ["git", "ls-files", "-z", "Package.swift", "Sources", "Tests"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listing.split("\0") if name and (ROOT / name).exists())


def notifier_files():
    return [name for name in tracked() if name.startswith(MUTATED_FOLDER) and name.endswith(".swift")]


def fingerprint_of(names):
    digest = hashlib.sha256()
    for name in names:
        # Tests are there for the manifest's sake.
        if not name.startswith("Tests/"):
            digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return digest.hexdigest()


def fingerprint():
    tool = [path for path in sorted(HERE.rglob("*")) if path.suffix in (".swift", ".c", ".h") and "toy" not in path.parts]
    own = hashlib.sha256(b"".join(path.read_bytes() for path in tool)).hexdigest()
    return fingerprint_of(tracked()) + own


def put(path, data):
    """Writes a file unless it is like that already, so that little is built anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def copy_sources():
    names = tracked()
    for folder in ("Sources", "Tests"):
        for path in sorted((COPY / folder).rglob("*")):
            if path.is_file() and str(path.relative_to(COPY)) not in names:
                path.unlink()
    for name in names:
        put(COPY / name, (ROOT / name).read_bytes())


def patched():
    """The files that are changed besides the notifier's, by name."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name, _, _ in PATCHES}
    for name, old, new in PATCHES:
        if texts[name].count(old) != 1:
            raise Unsound(f"{name} does not hold {old!r} once; mend PATCHES in {pathlib.Path(__file__).name}")
        texts[name] = texts[name].replace(old, new)
    return texts


def add_switch():
    for name, text in sorted(patched().items()):
        put(COPY / name, text.encode())
    put(COPY / "Sources/CMutants/include/CMutants.h", (HERE / "switch/CMutants.h").read_bytes())
    put(COPY / "Sources/CMutants/CMutants.c", (HERE / "switch/CMutants.c").read_bytes())
    put(COPY / MUTATED_FOLDER / "MutantSwitch.swift", (HERE / "switch/MutantSwitch.swift").read_bytes())


def build(product):
    command = ["swift", "build", "-c", "release", "--disable-index-store", "--product", product, "--quiet"]
    run = subprocess.run(command, cwd=COPY, capture_output=True, text=True)
    if run.returncode != 0:
        errors = [line for line in (run.stdout + run.stderr).splitlines() if "error:" in line]
        raise Unsound("the copy does not build: " + "\n".join(errors[:20] or [run.stderr[-1000:]]))


def build_generator(package, scratch):
    """The generator needs the swift-syntax that came with this compiler."""
    environment = dict(os.environ, SWIFT_HOST_LIBRARIES=str(compiler.host_libraries()))
    command = ["swift", "build", "-c", "release", "--disable-index-store", "--quiet", "--package-path", package, "--scratch-path", scratch]
    if subprocess.run(command, env=environment).returncode != 0:
        raise Unsound("the generator does not build")
    return scratch / "release" / "mutator"


def refused_file():
    path = WORK / "refused"
    path.touch()
    return path


def refuse(keys):
    with refused_file().open("a", encoding="utf-8") as file:
        file.writelines(key + "\n" for key in sorted(keys))


def generate(generator, sources, target, files, refused=None, catalogue=None):
    """Writes the files with their mistakes, the unchanged ones untouched, and the catalogue."""
    fresh = WORK / "generated"
    shutil.rmtree(fresh, ignore_errors=True)
    for name in files:
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
    command = [generator, sources, fresh, refused or refused_file(), *files]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (catalogue or CATALOGUE).write_text(output, encoding="utf-8")
    for name in files:
        put(target / name, (fresh / name).read_bytes())


def read_catalogue(path=None):
    """What was generated last; the key of each mistake outlives edits of other lines."""
    return [json.loads(line) for line in (path or CATALOGUE).read_text(encoding="utf-8").splitlines()]
