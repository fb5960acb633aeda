"""The n-th call of the system fails: n = 1, 2, … until the workload ends before the n-th call."""

import errno
import os
import shutil

import harness

# What can go wrong with which call; "+": from then on always. EINTR for ever would only hang.
ACTIONS = {
    "write": ("EIO", "ENOSPC", "EINTR", "short", "EIO+", "ENOSPC+", "short+"),
    "flush": ("EIO", "ENOSPC", "EINTR", "EIO+"),
    "open": ("EIO", "ENOSPC", "EINTR", "EMFILE", "EIO+"),
    "truncate": ("EIO", "ENOSPC", "EINTR", "EIO+"),
    "map": ("EIO", "ENOSPC", "EINTR", "ENOMEM", "ENOMEM+"),
    "name": ("EIO", "ENOSPC", "EINTR", "EIO+"),
}
# The calls as a person knows them.
CALLS = {
    "write": "write, pwrite, writev", "flush": "fdatasync, fsync", "open": "open",
    "truncate": "ftruncate", "map": "mmap", "name": "mkdir, rename, unlink"}
STEP_COUNT = 14


def shape(seed):
    """The workload of a seed: short, with every kind of upkeep in it."""
    return harness.Shape(
        seed=seed, steps=STEP_COUNT, map_byte_count=harness.SMALL_MAP_BYTE_COUNT,
        durability="lastCommitMayVanish" if seed % 2 == 1 else "durable")


def recorder_action(action):
    """An action as the recorder has it."""
    name = action.rstrip("+")
    number = name if name in ("short", "kill") else str(getattr(errno, name))
    return number + action[len(name):]


def kind_of(call):
    """The row of the table."""
    return f"n-th call fails: {CALLS[call]}"


def run(programs, seed, call, action, limit=100_000):
    """Lets the n-th call fail, for every n."""
    tally = harness.Tally(kind_of(call))
    checker = harness.Checker(programs)
    number = 1
    while number <= limit and run_once(programs, checker, tally, seed, call, action, number):
        number += 1
    checker.close()
    return tally


def run_once(programs, checker, tally, seed, call, action, number):
    """Lets one call fail; returns whether there was such a call."""
    workload = shape(seed)
    with harness.Folder() as folder:
        root, report = folder.file("run"), folder.file("report")
        os.mkdir(root)
        worker = harness.Worker(programs, workload, root, environment={
            "TORTURE_FAULT": f"{call}:{number}:{recorder_action(action)}",
            "TORTURE_REPORT": report})
        status = worker.wait()
        if not has_fired(report):
            if status != 0:
                raise SystemExit(f"torture: {worker.command()}: {status}, {worker.errors()}")
            return False
        tally.tried += 1
        acks = worker.acks()
        expectation = folder.file("expectation")
        with open(expectation, "w", encoding="utf-8") as file:
            file.write(workload.expectation(acks))
        ledger = os.path.join(root, "ledger")
        before = folder.file("before/ledger")
        if os.path.isdir(ledger):
            shutil.copytree(ledger, before)
        reason = end_of(worker, status)
        if reason is None:
            verdict, detail = checker.check(ledger, expectation, len(acks), len(acks))
            if verdict == "ok":
                return True
            reason = f"{verdict} {detail}"
        kept = harness.keep(
            programs, f"fault-{seed}-{call}-{number}-{action}", before, expectation)
        again = harness.check_command(programs, kept, len(acks), len(acks))
        tally.failures.append(harness.Failure(
            f"{call} {number} fails with {action}: {reason}", seed,
            f"{again}  # made by: {worker.command()}", kept))
    return True


def has_fired(report):
    """Whether the recorder said that the fault came."""
    if not os.path.exists(report):
        return False
    with open(report, encoding="utf-8") as file:
        return file.read().startswith("fired")


def end_of(worker, status):
    """What is wrong with how a worker ended, if anything."""
    if status is None:
        return f"the workload hung: {worker.errors()}"
    if status not in harness.CLEAN_ENDS:
        return f"the workload ended with status {status}: {worker.errors()}"
    return None
