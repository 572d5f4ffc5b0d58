"""Plays the jobs of a GitHub workflow in a shell, as far as deploy/ci uses its words; any other word is an error.

What a runner does is from GitHub's workflow syntax and from the documentation of the two artifact actions: `shell: bash` is
`bash --noprofile --norc -eo pipefail`, a matrix runs a job once for each value, an uploaded folder's content is the artifact, and
`merge-multiple` puts the artifacts of a pattern into one folder.
"""

import fnmatch
import re
import shutil
import subprocess

import yaml

JOB = {"runs-on", "timeout-minutes", "container", "strategy", "steps", "needs"}


class Workflow:
    """Runs the file's jobs in their order; `states` says how each ended: success, failure or skipped."""

    def __init__(self, text, checkout, folder, environment):
        self._file = yaml.safe_load(text)
        self._checkout = checkout
        self._folder = folder
        self._environment = environment
        self._artifacts = {}
        self.states = {}
        self.output = ""
        self.summary = ""
        for name, job in self._file["jobs"].items():
            self._run(name, job)

    @property
    def state(self):
        return "failed" if "failure" in self.states.values() else "success"

    def artifact(self, name, path):
        return self._artifacts[name] / path

    def _run(self, name, job):
        unknown = set(job) - JOB
        if unknown:
            raise SystemExit(f"{name} has words that are not played here: {', '.join(sorted(unknown))}")
        if "needs" in job and self.states[job["needs"]] != "success":
            self.states[name] = "skipped"
            return
        matrix = (job.get("strategy") or {}).get("matrix", {"": [""]})
        [(key, values)] = matrix.items()
        ended = [self._instance(name, job["steps"], {f"matrix.{key}": str(value)}) for value in values]
        self.states[name] = "success" if all(ended) else "failure"

    def _instance(self, name, steps, context):
        place = self._folder / f"{name}-{'-'.join(context.values())}"
        place.mkdir()
        succeeded = True
        for step in steps:
            if succeeded or step.get("if") == "always()":
                succeeded = self._step(step, place, context) and succeeded
        return succeeded

    def _step(self, step, place, context):
        if "run" in step:
            return self._shell(substituted(step["run"], context), place)
        given = {key: substituted(str(value), context) for key, value in step.get("with", {}).items()}
        action = step["uses"].split("@")[0]
        if action == "actions/checkout":
            shutil.copytree(self._checkout, place, dirs_exist_ok=True)
        elif action == "actions/upload-artifact":
            if (place / given["path"]).is_dir():
                kept = self._artifacts[given["name"]] = self._folder / f"artifact-{given['name']}"
                shutil.copytree(place / given["path"], kept)
        elif action == "actions/download-artifact":
            for artifact in fnmatch.filter(self._artifacts, given["pattern"]):
                into = place / given["path"] / ("" if given["merge-multiple"] == "True" else artifact)
                shutil.copytree(self._artifacts[artifact], into, dirs_exist_ok=True)
        else:
            raise SystemExit(f"{action} is not played here")
        return True

    def _shell(self, script, place):
        note = place / "step-summary"
        note.touch()
        variables = self._file["env"] | self._environment | {"GITHUB_STEP_SUMMARY": str(note)}
        played = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=place, env=variables, text=True,
            timeout=600, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        self.output += played.stdout
        self.summary += note.read_text()
        return played.returncode == 0


def substituted(text, context):
    """`${{ matrix.shard }}` and its like; an expression that is not known here is an error."""
    return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: context[found[1]], text)
