"""The files under deploy as their readers take them, and whether they agree with each other: ports, paths, names, times.

`yaml` comes with the validators of the virtual environment.
"""

import functools
import json
import pathlib
import re
import tomllib

import yaml

from dockerfile import parse
from image import described, seconds

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKERFILE = "deploy/docker/Dockerfile"
WORKBENCH = "deploy/docker/simctl.Dockerfile"
KUBERNETES = "deploy/kubernetes/simctl-shards.yaml"
COMPOSE = "deploy/docker/compose.yml"
SETTINGS = "deploy/docker/notifierd.json"
PROMETHEUS = "deploy/docker/prometheus.yml"
DATASOURCE = "deploy/docker/grafana/datasource.yml"
DASHBOARDS = "deploy/docker/grafana/dashboards.yml"
FLY = "deploy/fly/fly.toml"
FILES = [DOCKERFILE, WORKBENCH, KUBERNETES, COMPOSE, SETTINGS, PROMETHEUS, DATASOURCE, DASHBOARDS, FLY]
# What whoever sets it up puts beside compose.yml.
OF_THE_OPERATOR = {"secrets.env", "AuthKey.p8"}


class Recipe:
    """`texts` holds the files by their paths."""

    def __init__(self, texts):
        self.texts = texts
        self.image = described(parse(texts[DOCKERFILE]))
        self.compose, self.prometheus = yaml.safe_load(texts[COMPOSE]), yaml.safe_load(texts[PROMETHEUS])
        self.settings, self.fly = json.loads(texts[SETTINGS]), tomllib.loads(texts[FLY])
        self.services = self.compose["services"]
        self.notifierd = self.services["notifierd"]
        self.port = self.settings["listen"]["port"]

    def mounts(self, service):
        """Source and mode of what a service sees, by its path there; a source is a volume's name or a path from the root."""
        found = {}
        for text in self.services[service].get("volumes", []):
            source, target, *mode = text.split(":")
            if source.startswith("."):
                source = within(COMPOSE, source)
            found[target] = (source, mode)
        return found

    @functools.cached_property
    def shutdown_seconds(self):
        """The default of notifier.shutdownTimeout, by the document that is made from the code."""
        own = self.settings.get("notifier", {}).get("shutdownTimeout")
        table = (ROOT / "docs/settings.md").read_text()
        return seconds(own or re.search(r'\| `shutdownTimeout` \| `"(\w+)"` \|', table)[1])


def read():
    return {path: (ROOT / path).read_text() for path in FILES}


def within(file, path):
    """A path that a file names from its own folder, from the root of the checkout."""
    return str((ROOT / file).parent.joinpath(path).resolve().relative_to(ROOT))


def checks(recipe):
    """Sentences that must be true, with whether they are."""
    yield from image_checks(recipe)
    yield from workbench_checks(recipe)
    yield from compose_checks(recipe)
    yield from beside_checks(recipe)
    yield from fly_checks(recipe)


def image_checks(recipe):
    image, settings = recipe.image, recipe.settings
    folder = image.volumes[0]
    yield "the image's settings let others than itself in", settings["listen"]["address"] == "0.0.0.0"
    yield "the image names the port that the settings have", image.ports == [recipe.port]
    yield "the image's health check asks that port", any(f"/127.0.0.1/{recipe.port} " in word for word in image.health)
    yield "the image has one volume, and works there", image.volumes == [image.working_directory]
    yield "database and backups are in the volume", all(
        settings[key].startswith(folder + "/") for key in ("database", "backups"))
    yield "a container does not run as root", image.user not in ("root", "0")


def workbench_checks(recipe):
    """Of the image of simctl, which pipelines and schedulers run."""
    server, text = recipe.texts[DOCKERFILE], recipe.texts[WORKBENCH]
    image, instructions = described(parse(text)), parse(text)
    copied = {words[-1]: words[:-1] for words in (each.text.split() for each in instructions if each.name == "COPY")}
    packages = [set(re.findall(r"[a-z0-9+.-]+-dev\b", each)) for each in (server, text)]
    bases = [re.findall(r"^FROM (\S+)", each, re.MULTILINE) for each in (server, text)]
    pods = [document["spec"] for document in yaml.safe_load_all(recipe.texts[KUBERNETES])]
    pods = [spec.get("jobTemplate", {"spec": spec})["spec"]["template"]["spec"] for spec in pods if "accessModes" not in spec]
    number = re.search(r"useradd [^\n]*--uid (\d+)", text)[1]
    yield "the image of simctl begins with the images of notifierd's", bases[0] == bases[1]
    yield "both builds need the same packages, and simctl's also zlib", packages[1] == packages[0] | {"zlib1g-dev"}
    yield "the image of simctl runs simctl", image.entry_point == ["simctl"] and "/usr/bin/simctl" in copied
    yield "the scenarios of the library are in the image of simctl", copied.get("/usr/share/simctl/scenarios") == ["scenarios"]
    yield "what is built is what is copied", "/source/.build/release/simctl" in copied["/usr/bin/simctl"] and "--product simctl" in text
    yield "simctl does not run as root, and works where a pipeline mounts", (image.user, image.working_directory) == ("simctl", "/work")
    yield "the job that writes a note finds its programs", {"curl", "jq"} <= {
        word for each in instructions if each.name == "RUN" for word in each.text.split()}
    yield "pods run as the user of the image, where it works", len(pods) == 2 and all(
        str(pod["securityContext"]["runAsUser"]) == number and pod["containers"][0]["workingDir"] == image.working_directory
        for pod in pods)


def compose_checks(recipe):
    service, image = recipe.notifierd, recipe.image
    build = service["build"]
    mounts = recipe.mounts("notifierd")
    published = [port.rsplit(":", 1) for port in service["ports"]]
    yield "compose builds from the root of the checkout", within(COMPOSE, build["context"]) == "."
    yield "compose builds from the Dockerfile that is there", build["dockerfile"] == DOCKERFILE
    yield "compose publishes the server's port", [int(inner) for _, inner in published] == [recipe.port]
    yield "every service is published to this machine alone", all(
        port.startswith("127.0.0.1:") for each in recipe.services.values() for port in each["ports"])
    kept = [mounts[path][0] if path in mounts else None for path in image.volumes]
    yield "the image's volume is a volume of compose", all(source in recipe.compose["volumes"] for source in kept)
    yield "Apple's key is where its variable says", service["environment"]["APNS_KEY_PATH"] in mounts
    yield "nothing but volumes and memory is written to", service["read_only"] and service["tmpfs"] == ["/tmp"]
    yield "compose waits for the server to end", seconds(service["stop_grace_period"]) > recipe.shutdown_seconds
    used = {source for name in recipe.services for source, _ in recipe.mounts(name).values()}
    for volume in recipe.compose["volumes"]:
        yield f"the volume {volume} is used", volume in used
    for source in used - set(recipe.compose["volumes"]):
        yield f"{source} is there", (ROOT / source).is_file() or pathlib.Path(source).name in OF_THE_OPERATOR
    yield "the variables' file is the operator's", service["env_file"] in OF_THE_OPERATOR


def beside_checks(recipe):
    prometheus, grafana = recipe.mounts("prometheus"), recipe.mounts("grafana")
    yield "Prometheus finds its configuration", prometheus["/etc/prometheus/prometheus.yml"][0] == PROMETHEUS
    for file in recipe.prometheus["rule_files"]:
        yield f"Prometheus finds {file}", file in prometheus
    targets = [target for job in recipe.prometheus["scrape_configs"] for each in job["static_configs"] for target in each["targets"]]
    yield "Prometheus asks the server", targets == [f"notifierd:{recipe.port}"] and "notifierd" in recipe.services
    sources = yaml.safe_load(recipe.texts[DATASOURCE])["datasources"]
    yield "Grafana asks Prometheus", [source["url"] for source in sources] == ["http://prometheus:9090"]
    folders = [provider["options"]["path"] for provider in yaml.safe_load(recipe.texts[DASHBOARDS])["providers"]]
    yield "Grafana looks where the dashboard is", [path for path in grafana if path.endswith(".json")] == [
        f"{folder}/notifier.json" for folder in folders]


def fly_checks(recipe):
    fly, image = recipe.fly, recipe.image
    service = fly["http_service"]
    yield "fly.io builds from the Dockerfile", within(FLY, fly["build"]["dockerfile"]) == DOCKERFILE
    yield "fly.io asks the server's port", service["internal_port"] == fly["metrics"]["port"] == recipe.port
    yield "fly.io's disk is the image's volume", [mount["destination"] for mount in fly["mounts"]] == image.volumes
    yield "fly.io puts Apple's key where its variable says", fly["env"]["APNS_KEY_PATH"] in [
        file["guest_path"] for file in fly["files"]]
    yield "fly.io stops the server as the image says", fly["kill_signal"] == image.stop_signal
    yield "fly.io waits for the server to end", fly["kill_timeout"] > recipe.shutdown_seconds
    yield "fly.io lets one machine run all the time", service["min_machines_running"] == 1 and service["auto_stop_machines"] == "off"
