"""Power cuts: a workload is recorded once, and checked on many disks that it may have left."""

import errno
import os
import random
import shutil

import disk
import faults
import harness

# The bytes that say which commit is the newest are shorter than a page and in one of two pages.
META_PAGE_COUNT = 2


def shape(seed):
    """The workload of a seed."""
    return harness.Shape(
        seed=seed, steps=60, lanes=3 if seed % 3 == 0 else 1,
        durability="lastCommitMayVanish" if seed % 5 in (1, 3) else "durable",
        map_byte_count=harness.SMALL_MAP_BYTE_COUNT if seed % 4 == 2 else 0)


def run(programs, seed, first, count, settings=None, kind=None, claimed=None,
        workload=None, label=""):
    """Records the workload of a seed and checks the images `first` … of it.

    `settings` are further settings of the recorder; `claimed` is a durability that the images are
    held to instead of the workload's own.
    """
    workload = workload or shape(seed)
    tally = harness.Tally(kind or f"power cut, {workload.durability}")
    with harness.Folder() as folder:
        root = folder.file("run")
        os.mkdir(root)
        trace = folder.file("trace")
        worker = harness.Worker(
            programs, workload, root, environment={"TORTURE_TRACE": trace, **(settings or {})})
        status = worker.wait()
        if status not in harness.CLEAN_ENDS or (status != 0 and not settings):
            tally.tried = 1
            place = harness.keep(programs, f"power-cut-{seed}", root, trace)
            tally.failures.append(harness.Failure(
                f"the workload ended with status {status}: {worker.errors()}", seed,
                worker.command(), place))
            return tally
        recording = Recording(folder, root, trace, workload, claimed or workload.durability, label)
        checker = harness.Checker(programs)
        for number, cut in recording.cuts(seed, first, count):
            recording.check(programs, checker, tally, seed, number, cut)
        checker.close()
    return tally


class Recording:
    """A recorded run, and the disk as it goes through it."""

    def __init__(self, folder, root, trace, workload, durability, label):
        self.folder, self.trace = folder, trace
        self.events = disk.read_trace(trace)
        self.disk = disk.Disk(root)
        self.durability = durability
        self.label = label
        self.acks = []
        self.required = 0
        self.expectation = folder.file("expectation")
        acks = [event.data.decode().strip() for event in self.events if event.kind == "A"]
        with open(self.expectation, "w", encoding="utf-8") as file:
            file.write(workload.expectation(acks))
        self.lock_file = b""
        lock = os.path.join(root, "ledger", "lock.mdb")
        if os.path.exists(lock):
            with open(lock, "rb") as file:
                self.lock_file = file.read()

    def cuts(self, seed, first, count):
        """Numbers of images, each with the count of events before the cut, in order of the cuts.

        Every place is taken once before one is taken twice, in an order that the seed gives.
        """
        places = list(range(1, len(self.events) + 1))
        random.Random(f"cuts {seed}").shuffle(places)
        chosen = [(places[number % len(places)], number) for number in range(first, first + count)]
        for cut, number in sorted(chosen):
            self.go_to(cut)
            yield number, cut

    def go_to(self, cut):
        """Takes the events before a cut."""
        while self.disk.count < cut:
            event = self.events[self.disk.count]
            self.disk.take(event)
            if event.kind == "A":
                self.acks.append(event)
                if self.durability == "durable" or len(self.acks) == 1:
                    self.required = len(self.acks)
            elif self.durability != "durable" and is_commit(event):
                # This is the newest commit now: what was acknowledged before is older.
                self.required = len(self.acks)

    def check(self, programs, checker, tally, seed, number, cut):
        """Makes an image and checks it."""
        place = self.folder.file("image")
        mode = self.write(place, seed, number)
        ledger = os.path.join(place, "ledger")
        verdict, reason = checker.check(
            ledger, self.expectation, len(self.acks), self.required)
        tally.tried += 1
        shutil.rmtree(place)
        if verdict == "ok":
            return
        self.write(place, seed, number)
        kept = harness.keep(
            programs, f"power-cut-{seed}{self.label}-{number}", ledger, self.expectation,
            self.trace)
        shutil.rmtree(place)
        tally.failures.append(harness.Failure(
            f"cut after event {cut} of {len(self.events)}, survivors: {mode}: {reason}", seed,
            harness.check_command(programs, kept, len(self.acks), self.required), kept))

    def write(self, place, seed, number):
        """Writes an image; returns which changes survive on it."""
        rng = random.Random(f"image {seed} {number}")
        mode = rng.choice(disk.MODES)
        self.disk.write_image(place, mode, rng, self.lock_file)
        return mode


def is_commit(event):
    """Whether an event is the write that makes a commit the newest."""
    return (
        event.kind == "W" and event.argument < META_PAGE_COUNT * disk.PAGE
        and len(event.data) < disk.PAGE)


def run_failed_flush(programs, seed, count_each):
    """Lets the n-th flush of a short workload fail, for every n, and cuts the power later.

    The kernel takes pages for clean that it could not write: a flush that succeeds later does not
    bring them back.
    """
    tally = harness.Tally("power cut after a flush that failed")
    number = 1
    while True:
        with harness.Folder() as folder:
            report = folder.file("report")
            settings = {
                "TORTURE_FAULT": f"flush:{number}:{errno.EIO}", "TORTURE_REPORT": report}
            part = run(
                programs, seed, 0, count_each, settings, tally.kind, workload=faults.shape(seed),
                label=f"-flush-{number}")
            if not faults.has_fired(report):
                return tally
        tally.add(part)
        number += 1
