"""Whether the harness notices what it is there to notice: each trial must fail."""

import os
import shutil

import faults
import harness
import powercuts

# Of a ledger that keeps several reactions a user, on which one grows popular.
SEED = 4
STEP_COUNT = 60
IMAGE_COUNT = 60
PROJECTIONS = ("messages", "reactors", "members", "commands")


def run(programs):
    """The trials: what was done wrong, and whether it was noticed."""
    return [
        ("flushes left out", notices_cuts(programs, 5, {"TORTURE_DROP_FLUSH": "1"})),
        ("the newest commit vanishes from a durable ledger",
         notices_cuts(programs, 1, {}, claimed="durable")),
        *[(f"one write of {name} left out", notices_damage(programs, name))
          for name in PROJECTIONS],
        ("an acknowledged step lost", notices_loss(programs)),
        ("another log than was asked for", notices(programs, seed_of_expectation=SEED + 4)),
        ("a wrong answer", notices(programs, change_acks=swap_answer)),
        ("the data file cut in half", notices(programs, spoil=halve)),
        ("a workload that dies", notices_death(programs)),
        # What is in order must pass, or all of the above says nothing.
        ("a ledger in order (must pass)", not notices(programs)),
    ]


def notices_cuts(programs, seed, settings, claimed=None):
    """Whether some images of a recording fail."""
    tally = powercuts.run(
        programs, seed, 0, IMAGE_COUNT, settings=settings, claimed=claimed, kind="self-test")
    return forget_failures(tally) and tally.tried == IMAGE_COUNT


def forget_failures(tally):
    """Whether there were failures, which were wanted and so are not kept."""
    for failure in tally.failures:
        shutil.rmtree(failure.kept, ignore_errors=True)
    return bool(tally.failures)


def notices_death(programs):
    """Whether a workload that is killed where a call should fail counts as failed."""
    tally = harness.Tally("self-test")
    checker = harness.Checker(programs)
    faults.run_once(programs, checker, tally, SEED, "write", "kill", 9)
    checker.close()
    return forget_failures(tally)


def notices_damage(programs, name):
    """Whether a missing pair of a projection is found, by the rule for that projection."""
    rule = f"rule J{PROJECTIONS.index(name) + 1}"

    def spoil(ledger):
        harness.run_or_end([programs.torture, "damage", ledger, name, "--seed", str(SEED)])

    return notices(programs, spoil=spoil, words=rule)


def notices_loss(programs):
    """Whether it is noticed that a ledger is that of an earlier time."""

    def spoil(ledger):
        with harness.Folder() as folder:
            root = folder.file("run")
            os.mkdir(root)
            harness.Worker(programs, harness.Shape(SEED, STEP_COUNT - 3), root).wait()
            shutil.copy(os.path.join(root, "ledger", "data.mdb"), ledger)

    return notices(programs, spoil=spoil, words="was acknowledged and is not there")


def swap_answer(acks):
    """The acknowledgements with one answer changed."""
    changed = list(acks)
    place = next(index for index, line in enumerate(acks) if " recorded:" in line)
    changed[place] = changed[place].replace(" recorded:", " repeated:", 1)
    return changed


def halve(ledger):
    """Cuts a data file in half."""
    path = os.path.join(ledger, "data.mdb")
    os.truncate(path, os.path.getsize(path) // 2)


def notices(programs, seed_of_expectation=SEED, change_acks=list, spoil=lambda _: None, words=""):
    """Whether the check of a finished workload fails, with certain words, after it was spoiled."""
    with harness.Folder() as folder:
        root = folder.file("run")
        os.mkdir(root)
        workload = harness.Shape(SEED, STEP_COUNT)
        worker = harness.Worker(programs, workload, root)
        if worker.wait() != 0:
            raise SystemExit(f"torture: {worker.command()}: {worker.errors()}")
        acks = worker.acks()
        ledger, expectation = os.path.join(root, "ledger"), folder.file("expectation")
        held_to = harness.Shape(seed_of_expectation, STEP_COUNT)
        with open(expectation, "w", encoding="utf-8") as file:
            file.write(held_to.expectation(change_acks(acks)))
        spoil(ledger)
        checker = harness.Checker(programs)
        verdict, reason = checker.check(ledger, expectation, len(acks), len(acks))
        checker.close()
        return verdict == "FAILED" and words in reason
