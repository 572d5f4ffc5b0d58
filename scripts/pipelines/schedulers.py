"""Plays the parts of a run as Kubernetes and Slurm start them: each in a shell, with the variables that these systems set.

From Kubernetes' documentation of indexed jobs: JOB_COMPLETION_INDEX counts from 0, the total is in no variable, and one index may be
started twice. From Slurm's of job arrays: SLURM_ARRAY_TASK_ID is the number in --array. A word that is not known here is an error.
"""

import re
import subprocess

import yaml

SPEC = {"completionMode", "completions", "parallelism", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished",
        "podFailurePolicy", "template"}
POD = {"restartPolicy", "automountServiceAccountToken", "securityContext", "containers", "volumes"}
CONTAINER = {"name", "image", "workingDir", "env", "command", "args", "resources", "securityContext", "volumeMounts"}
SBATCH = {"job-name", "array", "cpus-per-task", "mem", "time", "output", "requeue"}


class Problem(Exception):
    """What keeps the files from being played."""


def _known(names, known, where):
    if unknown := set(names) - known:
        raise Problem(f"{where} has words that are not known here: {sorted(unknown)}")


class Kubernetes:
    """An indexed job and the job that judges."""

    def __init__(self, text):
        documents = {(document["kind"], document["metadata"]["name"]): document for document in yaml.safe_load_all(text)}
        self.job = documents["Job", "simctl-shards"]["spec"]
        self.judge = documents["CronJob", "simctl-judge"]["spec"]["jobTemplate"]["spec"]
        claims = {name for kind, name in documents if kind == "PersistentVolumeClaim"}
        _known(self.job, SPEC, "the job")
        _known(self.judge, SPEC, "the judge")
        for spec in (self.job, self.judge):
            self._check_pod(spec["template"]["spec"], claims)
        if self.job["completionMode"] != "Indexed" or not 1 <= self.job["parallelism"] <= self.job["completions"]:
            raise Problem("the job is not an indexed one")
        variables = self._environment(self._container(self.job))
        if variables.get("SHARDS") != str(self.job["completions"]):
            raise Problem("SHARDS is not the number of completions")
        for rule in self.job["podFailurePolicy"]["rules"]:
            name = rule["onExitCodes"]["containerName"]
            if name != self._container(self.job)["name"] or rule["action"] not in ("FailJob", "Ignore", "Count"):
                raise Problem("the policy for failed pods does not fit")

    @staticmethod
    def _container(spec):
        return spec["template"]["spec"]["containers"][0]

    @staticmethod
    def _environment(container):
        return {variable["name"]: variable["value"] for variable in container.get("env", [])}

    def _check_pod(self, pod, claims):
        _known(pod, POD, "a pod")
        if pod["restartPolicy"] != "Never" or len(pod["containers"]) != 1:
            raise Problem("a pod of a job has one container and does not restart it")
        container = pod["containers"][0]
        _known(container, CONTAINER, "a container")
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        mounts = {mount["mountPath"]: volumes[mount["name"]] for mount in container["volumeMounts"]}
        if mounts[container["workingDir"]]["persistentVolumeClaim"]["claimName"] not in claims:
            raise Problem("the folder of the shards is on no volume of the file")
        if not container["securityContext"]["readOnlyRootFilesystem"] or "/tmp" not in mounts:
            raise Problem("a container without a place for what it writes")
        if not isinstance(container["env"] if "env" in container else [], list):
            raise Problem("env is a list")
        for variable in container.get("env", []):
            if not isinstance(variable["value"], str):
                raise Problem(f"{variable['name']} is no text, which Kubernetes refuses")

    def play(self, folder, environment, shards):
        """The exit codes of the parts, the last index first and one of them twice, and that of the judge."""
        codes = []
        for index in [*reversed(range(shards)), 0]:
            variables = self._environment(self._container(self.job)) | environment
            variables |= {"JOB_COMPLETION_INDEX": str(index), "SHARDS": str(shards)}
            codes.append(self._run(self.job, folder, variables))
        return codes, self._run(self.judge, folder, environment)

    def _run(self, spec, folder, variables):
        container = self._container(spec)
        return subprocess.run(container["command"] + container["args"], cwd=folder, env=variables, capture_output=True).returncode


class Slurm:
    """An array and the job that judges."""

    def __init__(self, array, judge):
        self.array, self.judge = array, judge
        options = dict(re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", array, re.MULTILINE))
        for text in (array, judge):
            found = dict(re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", text, re.MULTILINE))
            _known(found, SBATCH, "a file for Slurm")
            if re.search(r"^#SBATCH", text.split("set -euo pipefail")[-1], re.MULTILINE):
                raise Problem("Slurm reads no option behind the first command")
        span = re.fullmatch(r"1-(\d+)%\d+", options.get("array", ""))
        default = re.search(r"^SHARDS=\$\{SHARDS:-(\d+)\}$", array, re.MULTILINE)
        if not span or not default or span[1] != default[1]:
            raise Problem("the array does not have as many parts as SHARDS says")
        if int(span[1]) > 1000:
            raise Problem("an array of Slurm has 1,001 tasks unless its administrator allows more")

    def play(self, folder, environment, shards):
        """The same."""
        codes = []
        for number in [*reversed(range(1, shards + 1)), 1]:
            variables = environment | {"SLURM_ARRAY_TASK_ID": str(number), "SHARDS": str(shards), "SLURM_CPUS_PER_TASK": "1"}
            codes.append(self._run(self.array, folder, variables))
        return codes, self._run(self.judge, folder, environment)

    @staticmethod
    def _run(text, folder, variables):
        return subprocess.run(["bash"], input=text.encode(), cwd=folder, env=variables, capture_output=True).returncode
