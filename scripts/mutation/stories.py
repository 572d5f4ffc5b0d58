"""What is run: scenarios under seed 1, and worlds drawn from seeds. What each reaches is recorded by the copy itself."""

import dataclasses
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from mutation import tree

BASELINE = tree.WORK / "baseline"
SEED = 1
# A run that takes ten times as long as the sound one has no end, for all we know; short ones get time to start.
PATIENCE = 10
LEAST_LIMIT = 20
# A mistake may collect without end; that shall not bring the machine down.
MEMORY_BYTES = 4 << 30
# What simctl did not judge: wrong arguments, an input that is none, a request to end.
NOT_JUDGED = (64, 65, 130)


@dataclasses.dataclass(frozen=True)
class Story:
    """A scenario's file, or the seed of a drawn world."""
    name: str
    file: pathlib.Path | None = None
    seed: int = SEED

    def command(self, program, report, limit):
        if self.file is None:
            return [program, "fuzz", "--seeds", f"{self.seed}..{self.seed}", "--shard", "1/1", "--jobs", "1", "--out", report]
        return [program, "run", self.file, "--seeds", f"{SEED}..{SEED}", "--jobs", "1", "--quiet", "--time-limit", f"{limit}s",
                "--out", report]

    def digest(self):
        return hashlib.sha256(self.file.read_bytes()).hexdigest() if self.file else ""


def scenarios(root, only=()):
    """The library and its regressions, by name."""
    files = [path for folder in ("scenarios", "scenarios/regressions") for path in (root / folder).glob("*.json")
             if not path.name.endswith(".schema.json")]
    return [Story(path.stem, path) for path in sorted(files, key=lambda path: path.stem) if not only or path.stem in only]


def worlds(count):
    return [Story(f"fuzz {seed}", seed=seed) for seed in range(1, count + 1)]


class Runner:
    """Runs stories; `stop` ends those under way, and only those."""

    def __init__(self):
        self.running = set()
        self.stopped = False

    def stop(self):
        self.stopped = True
        for process in list(self.running):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def run(self, program, story, mutant=0, hits=None, limit=600, keep=None):
        """Exit code, digests and complaints of one run; `keep` is where its trace goes."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MUTANT_")}
        environment["MUTANT_ACTIVE"] = str(mutant)
        if hits:
            environment["MUTANT_HITS"] = str(hits)
        with tempfile.TemporaryDirectory(dir=tree.WORK) as folder:
            report = pathlib.Path(folder) / "report"
            code, output = self.call(story.command(program, report, limit), environment, limit + 60)
            read = read_report if story.file else read_world
            result = {"story": story.name, "exit": code, **read(report), "output": output[-2000:]}
            result["trace"] = None
            trace = report / "trace.jsonl"
            if trace.exists() and keep:
                shutil.copyfile(trace, keep)
            elif trace.exists() and code in (0, 2) and (BASELINE / f"{story.name}.trace").exists():
                result["trace"] = compare(trace, BASELINE / f"{story.name}.trace")
            return result

    def call(self, command, environment, limit):
        if self.stopped:
            raise KeyboardInterrupt
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True, preexec_fn=bound_memory)
        self.running.add(process)
        try:
            output, _ = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            code = 124
        finally:
            self.running.discard(process)
        if self.stopped:
            raise KeyboardInterrupt
        return code, output

    def baseline(self, story, mark):
        """The sound run, once in simctl as it is and once in the copy, which must not differ. Kept for the next call."""
        path = BASELINE / f"{story.name}.json"
        stamp = mark + story.digest()
        if path.exists() and json.loads(path.read_text())["stamp"] == stamp:
            return json.loads(path.read_text())
        BASELINE.mkdir(parents=True, exist_ok=True)
        plain = self.run(tree.PLAIN, story)
        hits = BASELINE / f"{story.name}.hits"
        hits.unlink(missing_ok=True)
        began = time.monotonic()
        copied = self.run(tree.MUTATED, story, hits=hits, keep=BASELINE / f"{story.name}.trace")
        kept = {"stamp": stamp, "seconds": round(time.monotonic() - began, 2), "equal": is_same(plain, copied), **copied}
        path.write_text(json.dumps(kept))
        return kept


def is_same(plain, copied):
    """Whether both went the same way. The digest also counts jobs, of which the optimiser may spare one where it sees through a condition."""
    return [plain[name] for name in ("exit", "behaviour")] == [copied[name] for name in ("exit", "behaviour")]


def bound_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def limit_for(baseline):
    return max(LEAST_LIMIT, int(baseline["seconds"] * PATIENCE))


def reached(story):
    """How often the sound run of a story reached each mistake's place, up to 255, by the mistake's number."""
    return {number: count for number, count in enumerate((BASELINE / f"{story.name}.hits").read_bytes()) if count}


def read_report(report):
    """Digests, and what the report says is wrong; nothing of all that where a run left no report."""
    path = report / "summary.json"
    if not path.exists():
        return {"digest": None, "behaviour": None, "said": []}
    summary = json.loads(path.read_text(encoding="utf-8"))
    said = [f"invariant {violation['invariant']}" for violation in summary["invariants"]["violations"]]
    said += [f"gate {gate['rule']}" for gate in summary["gates"] if gate["verdict"] == "fail"]
    said += [f"unproven {gate['rule']}" for gate in summary["gates"] if gate["verdict"] not in ("pass", "fail")]
    said += [f"probe {probe['probe']}" for probe in summary["probes"] if probe["count"] == 0]
    said += [f"cause {cause}" for cause in summary["misses"]]
    said += ["crash"] if summary["crashes"] else []
    return {"digest": summary["digest"], "behaviour": summary["behaviour"], "said": sorted(set(said))}


def read_world(report):
    """The same of a drawn world: what `simctl fuzz` writes down of each for `simctl merge`."""
    path = report / "fuzz-results.jsonl"
    if not path.exists():
        return {"digest": None, "behaviour": None, "said": []}
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    said = {f"finding {flaw['kind']}" + (f": {flaw['cause']}" if flaw["cause"] else "") for flaw in line["flaws"]}
    return {"digest": line["digest"] or None, "behaviour": line["behaviour"] or None, "said": sorted(said)}


def compare(trace, baseline):
    """How often each kind of event is there more or less than in the sound run, whatever the numbers of exchanges."""
    ours, theirs = events(trace), events(baseline)
    kinds = {}
    for line in ours.keys() | theirs.keys():
        more = ours.get(line, 0) - theirs.get(line, 0)
        if more:
            kind = json.loads(line)["event"]
            kinds.setdefault(kind, [0, 0])[0 if more > 0 else 1] += abs(more)
    return dict(sorted(kinds.items()))


def events(path):
    counts = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            start = line.find('"exchange":')
            if start >= 0:
                end = min(place for place in (line.find(",", start), line.find("}", start)) if place > 0)
                line = line[:start] + '"exchange":0' + line[end:]
            counts[line] = counts.get(line, 0) + 1
    return counts
