"""kill -9: a workload is killed, checked and resumed, again and again on the same ledger."""

import os
import random
import shutil
import signal
import time

import harness

KIND = "kill -9"
# A worker opens the ledger in about 15 ms and then does some ten steps in one.
LONGEST_SECONDS = 0.06
MOST_CALLS = 400


def shape(seed, index):
    """The workload of the ledger of an index."""
    return harness.Shape(
        seed=seed * 1000 + index, steps=240, lanes=3 if index % 2 == 0 else 1,
        durability="lastCommitMayVanish" if index % 3 == 0 else "durable",
        map_byte_count=harness.SMALL_MAP_BYTE_COUNT if index % 4 == 3 else 0)


def run(programs, seed, count):
    """Kills so many times; a ledger that is done is followed by a new one."""
    tally = harness.Tally(KIND)
    rng = random.Random(f"kills {seed}")
    checker = harness.Checker(programs)
    index = 0
    while tally.tried < count:
        workload = shape(seed, index)
        run_ledger(programs, checker, tally, rng, workload, count)
        index += 1
    checker.close()
    return tally


def run_ledger(programs, checker, tally, rng, workload, count):
    """Kills a workload until it is done; a failure ends it too."""
    with harness.Folder() as folder:
        root = folder.file("run")
        os.mkdir(root)
        expectation = folder.file("expectation")
        starts = [0] * workload.lanes
        while tally.tried < count and min(starts) < workload.steps:
            worker, status, how = kill_once(programs, rng, workload, root, starts)
            acks = worker.acks()
            with open(expectation, "w", encoding="utf-8") as file:
                file.write(workload.expectation(acks))
            ledger = os.path.join(root, "ledger")
            before = folder.file("before/ledger")
            shutil.rmtree(folder.file("before"), ignore_errors=True)
            if os.path.isdir(ledger):
                shutil.copytree(ledger, before)
            tally.tried += status == -signal.SIGKILL
            verdict, reason = checker.check(ledger, expectation, len(acks), len(acks))
            if status not in (0, -signal.SIGKILL):
                reason = f"the workload ended with status {status}: {worker.errors()}"
            elif verdict == "ok" and have_come_on(reason, starts, workload.steps):
                starts = reason
                continue
            elif verdict == "ok":
                reason = f"steps {starts} were done, now only {reason} are"
            kept = harness.keep(
                programs, f"kill-{workload.seed}-{tally.tried}", before, expectation)
            tally.failures.append(harness.Failure(
                f"{how}: {reason}", workload.seed,
                f"{harness.check_command(programs, kept, len(acks), len(acks))}  # made by: "
                f"{worker.command()}", kept))
            return


def have_come_on(ends, starts, step_count):
    """Whether every lane has, at least by the step that the check itself does."""
    return all(end > start or end == step_count for end, start in zip(ends, starts))


def kill_once(programs, rng, workload, root, starts):
    """Runs the workload and kills it: after some time, or at some call of the system."""
    resume = starts if any(starts) else None
    if rng.random() < 0.5:
        number = rng.randint(1, MOST_CALLS)
        worker = harness.Worker(
            programs, workload, root, resume, {"TORTURE_FAULT": f"any:{number}:kill"})
        return worker, worker.wait(), f"killed at call {number}"
    seconds = rng.uniform(0, LONGEST_SECONDS)
    worker = harness.Worker(programs, workload, root, resume)
    time.sleep(seconds)
    return worker, worker.kill(), f"killed after {seconds:.4f} s"
