"""Trees of files as the base images have them, made of Debian packages."""

import pathlib
import re
import shutil
import subprocess

from dockerfile import Refused

SUITE = "bookworm"
# What swift.org puts into its image beside the toolchain (6.3, Debian 12).
SWIFT_PACKAGES = [
    "binutils", "libicu-dev", "libcurl4-openssl-dev", "libedit-dev", "libsqlite3-dev", "libncurses-dev", "libpython3-dev",
    "libxml2-dev", "pkg-config", "uuid-dev", "tzdata", "git", "gcc", "libstdc++-12-dev",
]
# What Debian leaves out of its slim images.
SLIM = """path-exclude /usr/share/doc/*
path-exclude /usr/share/info/*
path-exclude /usr/share/linda/*
path-exclude /usr/share/lintian/overrides/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
"""
TOOLCHAIN = "/opt/swift"
DEVICES = ["null", "zero", "full", "random", "urandom", "tty"]


class Trees:
    """Makes trees in `folder`, whose mounts nobody else sees. Those of the base images stay in `kept`, for the next who asks."""

    def __init__(self, folder, kept):
        self.folder, self.kept = pathlib.Path(folder), pathlib.Path(kept)

    def make(self, image, name):
        """A tree for the image called `image`, and the folder of programs that its path begins with."""
        makers = {rf"debian:{SUITE}-slim": self.slim, rf"swift:(\d+\.\d+)-{SUITE}": self.swift}
        for pattern, maker in makers.items():
            if found := re.fullmatch(pattern, image):
                tree = self.folder / name
                copy(maker(), tree)
                prepare(tree)
                return tree, add_toolchain(tree, found[1]) if found.groups() else None
        raise Refused(f"nothing here stands for the image {image}")

    def minimal(self):
        """Debian's images are made of the required packages and apt, too."""
        return self.once("minimal", None, self.bootstrap)

    def slim(self):
        return self.once("slim", self.minimal, lambda tree: (tree / "etc/dpkg/dpkg.cfg.d/docker").write_text(SLIM))

    def swift(self):
        return self.once("swift", self.minimal, self.add_packages)

    def once(self, name, origin, change):
        """The tree of that name; what is made half stays half, and is not taken for it."""
        tree, half = self.kept / name, self.kept / f"{name}.half"
        if tree.exists():
            return tree
        subprocess.run(["rm", "--recursive", "--force", "--one-file-system", half], check=True)
        if origin:
            copy(origin(), half)
        change(half)
        half.rename(tree)
        return tree

    def bootstrap(self, tree):
        log = self.folder / "debootstrap.log"
        with open(log, "wb") as file:
            made = subprocess.run(["debootstrap", "--variant=minbase", SUITE, tree], stdout=file, stderr=file)
        if made.returncode != 0:
            raise SystemExit(f"debootstrap ended with {made.returncode}: {log.read_text()[-1000:]}")
        # Its own default; what Debian's image has beside it lies on the same host.
        sources = tree / "etc/apt/sources.list"
        mirror = sources.read_text().split()[1]
        sources.unlink()
        parts = [(mirror, f"{SUITE} {SUITE}-updates"), (f"{mirror}-security", f"{SUITE}-security")]
        key = "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg"
        text = "\n".join(f"Types: deb\nURIs: {uri}\nSuites: {suites}\nComponents: main\n{key}\n" for uri, suites in parts)
        (tree / "etc/apt/sources.list.d/debian.sources").write_text(text)
        # As Debian's images have it: what is installed there need not survive a loss of power.
        (tree / "etc/dpkg/dpkg.cfg.d/docker-apt-speedup").write_text("force-unsafe-io\n")
        # How this machine comes by its packages.
        for path in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
            if re.search(r"(?im)^\s*acquire::(https?|check)", path.read_text()):
                shutil.copy(path, tree / "etc/apt/apt.conf.d/")

    def add_packages(self, tree):
        prepare(tree)
        inside(tree, ["apt-get", "update", "--quiet=2"])
        inside(tree, ["apt-get", "install", "--quiet=2", "--yes", *SWIFT_PACKAGES])
        for place in ("proc", "dev"):
            subprocess.run(["umount", tree / place], check=True)


def add_toolchain(tree, version):
    """This machine's toolchain, which must be of that version; the folder of its programs in the tree."""
    swift = shutil.which("swift")
    if swift is None:
        raise SystemExit("no swift on this machine")
    told = subprocess.run([swift, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(rf"Swift version {re.escape(version)}(\.\d+)? ", told):
        raise SystemExit(f"the image has Swift {version}, this machine has: {told.splitlines()[0]}")
    place = tree / TOOLCHAIN.lstrip("/")
    place.mkdir(parents=True)
    # …/usr/bin/swift
    bind(pathlib.Path(swift).resolve().parents[2], place, is_read_only=True)
    return f"{TOOLCHAIN}/usr/bin"


def copy(source, tree):
    subprocess.run(["cp", "--archive", source, tree], check=True)


def prepare(tree):
    """What an engine puts into every container."""
    subprocess.run(["mount", "-t", "proc", "proc", tree / "proc"], check=True)
    mount_devices(tree / "dev")
    shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    (tree / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")


def mount_devices(place):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", place], check=True)
    for name in DEVICES:
        subprocess.run(["cp", "--archive", f"/dev/{name}", place / name], check=True)
    for name, target in {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}.items():
        (place / name).symlink_to(target)


def bind(source, place, is_read_only=False):
    subprocess.run(["mount", "--bind", source, place], check=True)
    if is_read_only:
        subprocess.run(["mount", "-o", "remount,bind,ro", place], check=True)


def inside(tree, command, environment=None, directory="/", prefix=(), **options):
    """Runs a command in the tree; a failure ends the check with the command's last words."""
    variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"} if environment is None else environment
    ended = subprocess.run(
        chrooted(tree, command, variables, directory, prefix), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout[-3000:]}")
    return ended.stdout


def chrooted(tree, command, environment, directory, prefix=()):
    variables = [f"{name}={value}" for name, value in environment.items()]
    return ["chroot", str(tree), *prefix, "env", "-i", f"--chdir={directory}", *variables, *command]
