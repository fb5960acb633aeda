"""What all parts of tools/torture use: places, the programs that are run, and what is counted."""

import dataclasses
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
# Generous: a worker needs a tenth of a second. What takes longer hangs.
TIME_LIMIT_SECONDS = 30
# What a worker ends with: all done, or a typed error of the ledger.
CLEAN_ENDS = (0, 3)
# So small that it must grow in even a short workload.
SMALL_MAP_BYTE_COUNT = 48 * 1024


@dataclasses.dataclass(frozen=True)
class Programs:
    """Where the two programs are that were built, and where failures are kept."""

    torture: str
    recorder: str
    kept: str


@dataclasses.dataclass(frozen=True)
class Shape:
    """A workload, and the ledger on which it runs."""

    seed: int
    steps: int
    lanes: int = 1
    durability: str = "durable"
    map_byte_count: int = 0

    def arguments(self):
        """The options of `ledger-torture work`."""
        return [
            "--seed", str(self.seed), "--steps", str(self.steps), "--lanes", str(self.lanes),
            "--durability", self.durability, "--map", str(self.map_byte_count)]

    def expectation(self, acks):
        """The text of an expectation, which the checker reads."""
        return "".join(f"{line}\n" for line in [f"{self.seed} {self.steps} {self.lanes}", *acks])


@dataclasses.dataclass
class Failure:
    """Something that went wrong, with all that is needed to see it again."""

    what: str
    seed: int
    command: str
    kept: str


@dataclasses.dataclass
class Tally:
    """A row of the table."""

    kind: str
    tried: int = 0
    failures: list = dataclasses.field(default_factory=list)

    def add(self, other):
        """Takes over what another part of the same row counted."""
        self.tried += other.tried
        self.failures += other.failures


class Folder:
    """A temporary folder, in memory if the system has a place for that."""

    def __init__(self):
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.path = tempfile.mkdtemp(prefix="ledger-torture-", dir=base)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        """The path of something in the folder."""
        return os.path.join(self.path, name)


def build(swift_options):
    """Builds recorder and workload; says what failed and ends the process if they do not build."""
    for name, package in (("cc", "gcc and libc6-dev"), ("swift", "Swift")):
        if shutil.which(name) is None:
            raise SystemExit(f"torture: there is no {name}: install {package}")
    scratch = REPOSITORY / ".build" / "torture"
    scratch.mkdir(parents=True, exist_ok=True)
    recorder = scratch / "recorder.so"
    run_or_end([
        "cc", "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread",
        "-o", str(recorder), str(HERE / "recorder.c")])
    swift = [
        "swift", "build", "--package-path", str(REPOSITORY), "-c", "release", "--product",
        "ledger-torture", "--scratch-path", str(scratch), *swift_options]
    run_or_end(swift)
    place = subprocess.run(
        [*swift, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(place, "ledger-torture"), str(recorder)


def run_or_end(command):
    """Runs a command whose output nobody needs unless it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout.decode()}\ntorture: this failed: {' '.join(command)}")


class Worker:
    """A process that runs a workload on the ledger `ROOT/ledger`."""

    def __init__(self, programs, shape, root, resume=None, environment=None):
        self.acks_file = os.path.join(root, "..", os.path.basename(root) + ".acks")
        self.errors_file = os.path.join(root, "..", os.path.basename(root) + ".errors")
        self.arguments = [programs.torture, "work", os.path.join(root, "ledger")]
        self.arguments += shape.arguments()
        if resume is not None:
            self.arguments += ["--resume", ",".join(map(str, resume))]
        self.settings = {}
        if environment is not None:
            self.settings = {
                "LD_PRELOAD": programs.recorder, "TORTURE_ROOT": root, **environment}
        acks = os.open(self.acks_file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_APPEND, 0o644)
        with open(self.errors_file, "wb") as errors:
            self.process = subprocess.Popen(
                [*self.arguments, "--acks", str(acks)], pass_fds=[acks],
                env={**os.environ, "TORTURE_ACKS": str(acks), "SWIFT_BACKTRACE": "enable=no",
                     **self.settings},
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        os.close(acks)

    def wait(self):
        """Waits for the end; returns the exit status, negative for a signal, None if it hung."""
        try:
            return self.process.wait(TIME_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        """Kills the process; returns its exit status."""
        self.process.kill()
        return self.process.wait()

    def acks(self):
        """The lines that it acknowledged; one that was cut off by the end was not."""
        with open(self.acks_file, encoding="utf-8") as file:
            text = file.read()
        return text[:text.rfind("\n") + 1].splitlines()

    def errors(self):
        """The end of what it said."""
        with open(self.errors_file, encoding="utf-8", errors="replace") as file:
            return " / ".join(file.read().splitlines()[-3:])

    def command(self):
        """The command line, for a person."""
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        return " ".join([*settings, *self.arguments])


class Checker:
    """A process that checks one ledger after another; one that dies has failed its ledger."""

    def __init__(self, programs):
        self.programs = programs
        self.process = None

    def check(self, folder, expectation, ack_count, required_count):
        """The verdict on a ledger: ("ok", [steps]) or ("FAILED", reason)."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [self.programs.torture, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        request = f"{folder} {expectation} {ack_count} {required_count}\n"
        self.process.stdin.write(request.encode())
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], TIME_LIMIT_SECONDS)[0]:
            self.process.kill()
            self.process.wait()
            return "FAILED", f"the check did not end in {TIME_LIMIT_SECONDS} seconds"
        line = self.process.stdout.readline().decode()
        if not line.endswith("\n"):
            return "FAILED", f"the check died, status {self.process.wait()}"
        word, _, rest = line.strip().partition(" ")
        if word == "ok":
            return word, [int(number) for number in rest.split(",")]
        return word, rest

    def close(self):
        """Ends the process."""
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def keep(programs, name, *paths):
    """Copies files and folders to where they outlive the run; returns the folder."""
    place = os.path.join(programs.kept, name)
    os.makedirs(place, exist_ok=True)
    for path in paths:
        target = os.path.join(place, os.path.basename(path))
        if os.path.isdir(path):
            shutil.copytree(path, target, dirs_exist_ok=True)
        elif os.path.exists(path):
            shutil.copy(path, target)
    return place


def check_command(programs, place, ack_count, required_count):
    """The command that checks a kept ledger again. (It changes it: on a copy.)"""
    return (
        f"cp -r {place}/ledger {place}/again && echo {place}/again {place}/expectation "
        f"{ack_count} {required_count} | {programs.torture} check")
