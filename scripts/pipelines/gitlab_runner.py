"""Plays the jobs of a GitLab CI file in a shell, as far as deploy/ci uses its words; any other word is an error.

What a runner does is from GitLab's reference of CI/CD YAML: the lines of a script are one shell script that ends at the first
failing command, `parallel` numbers its jobs from 1, artifacts are handed on by path, and `allow_failure: exit_codes` makes a failure
a warning.
"""

import pathlib
import shutil
import subprocess

import yaml

TOP = {"stages", "variables", "default"}
JOB = {"stage", "parallel", "timeout", "script", "artifacts", "needs", "allow_failure", "rules"}


class Pipeline:
    """Runs the file's jobs one after the other; `states` says how each job name ended: success, warning, failed or skipped."""

    def __init__(self, text, checkout, folder, environment, only=None):
        self._file = yaml.safe_load(text)
        self._checkout = checkout
        self._folder = folder
        self._environment = environment
        self._artifacts = {}
        self.states = {}
        self.output = ""
        jobs = {name: job for name, job in self._file.items() if name not in TOP}
        for name, job in sorted(jobs.items(), key=lambda entry: self._file["stages"].index(entry[1]["stage"])):
            if only is None or name in only:
                self._run(name, job)

    @property
    def state(self):
        """What the pipeline shows: failed, warning or success."""
        for state in ("failed", "warning"):
            if state in self.states.values():
                return state
        return "success"

    def artifact(self, job, path):
        """A file among a job's artifacts."""
        return self._artifacts[job] / path

    def give(self, job, folder):
        """Lets a job have ended with the files of a folder as its artifacts."""
        self._artifacts[job] = folder
        self.states[job] = "success"

    def play(self, name):
        """Runs one job; False when its rules leave it out."""
        return self._run(name, self._file[name])

    def _run(self, name, job):
        unknown = set(job) - JOB
        if unknown:
            raise SystemExit(f"{name} has words that are not played here: {', '.join(sorted(unknown))}")
        when = "on_success"
        if "rules" in job:
            [rule] = job["rules"]
            wanted = [word.strip().removeprefix("$") for word in rule["if"].split("&&")]
            if not all(self._environment.get(word) for word in wanted):
                return False
            when = rule["when"]
        needs = [need if isinstance(need, str) else need["job"] for need in job.get("needs", [])]
        if when == "on_success" and any(self.states.get(need) not in ("success", "warning") for need in needs):
            self.states[name] = "skipped"
            return False
        total = job.get("parallel", 1)
        codes = [self._instance(name, job, needs, index, total) for index in range(1, total + 1)]
        allowed = (job.get("allow_failure") or {}).get("exit_codes", [])
        failures = {code for code in codes if code}
        self.states[name] = "success" if not failures else "warning" if failures <= set(allowed) else "failed"
        return True

    def _instance(self, name, job, needs, index, total):
        place = self._folder / f"{name}-{index}"
        shutil.copytree(self._checkout, place)
        for need in needs:
            if need in self._artifacts:
                shutil.copytree(self._artifacts[need], place, dirs_exist_ok=True)
        variables = dict(self._file.get("variables", {}))
        if total > 1:
            variables |= {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(total)}
        script = "set -eo pipefail\n" + "\n".join(job["script"])
        played = subprocess.run(
            ["bash", "-c", script], cwd=place, env=variables | self._environment, text=True, timeout=600,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        self.output += played.stdout
        self._collect(name, job.get("artifacts", {}), place, played.returncode == 0)
        return played.returncode

    def _collect(self, name, artifacts, place, succeeded):
        if not succeeded and artifacts.get("when", "on_success") == "on_success":
            return
        kept = self._artifacts.setdefault(name, self._folder / f"{name}-artifacts")
        kept.mkdir(exist_ok=True)
        for path in artifacts.get("paths", []):
            if (place / path).is_dir():
                shutil.copytree(place / path, kept / path, dirs_exist_ok=True)
        for report in artifacts.get("reports", {}).values():
            if (place / report).is_file() and not (kept / pathlib.Path(report)).is_file():
                raise SystemExit(f"{name}: {report} is reported and in none of its paths")
