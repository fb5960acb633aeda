#!/usr/bin/env python3
"""Damages copies of a ledger, one pair in each, and compares what two auditors say of them.

    pip install lmdb
    tools/compare-auditors.py LEDGER… [--copies N] [--seed S] [--tool PATH]

The auditors are `reaction-ledger replay` and tools/audit.py. Both must find the damage, or both
must not (what nobody reads), and their first findings about a record must be about the same one.
Prints each disagreement, then a table. The same seed does the same to the same ledger.
Exit status: 0 they agree, 1 they do not.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import lmdb

FOLDER = pathlib.Path(__file__).resolve().parent
DATABASES = ("events", "users", "userNumbers", "meta", "tree", "messages", "reactors", "members",
             "commands", "byUser")
WAYS = ("flip", "cut", "delete", "add", "swap", "reseal", "recheck")
DATABASE_OF_WAY = {"reseal": "events", "recheck": "tree"}
STATUSES = {0: "nothing", 1: "findings", 3: "not opened"}


@dataclasses.dataclass
class Verdict:
    """What an auditor says of a ledger."""

    status: int
    rules: list[str]
    first: int | None  # the first record that a finding is about
    text: str

    def word(self) -> str:
        """The exit status as a word."""
        return STATUSES.get(self.status, f"failed with {self.status}")

    def agrees_with(self, other: Verdict) -> bool:
        """Whether two auditors say the same, as far as the format's article asks for it."""
        if self.status not in STATUSES or other.status not in STATUSES:
            return False
        if 3 in (self.status, other.status):
            return 0 not in (self.status, other.status)
        return (self.status, self.first) == (other.status, other.first)


def verdict(command: list[str]) -> Verdict:
    """Runs an auditor that prints JSON."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    findings = json.loads(done.stdout)["findings"] if done.returncode in (0, 1) else []
    records = [finding["sequence"] for finding in findings if finding["sequence"] is not None]
    texts = [f"{finding['rule']} {finding['place']}: {finding['expected']} / {finding['found']}"
             for finding in findings[:3]]
    return Verdict(done.returncode, [finding["rule"] for finding in findings],
                   min(records, default=None),
                   "; ".join(texts) or done.stderr.strip()[:300])


def flipped(data: bytes, chance: random.Random) -> bytes:
    """The same bytes but for one bit."""
    changed = bytearray(data)
    changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def damage(folder: pathlib.Path, chance: random.Random) -> str | None:
    """Changes one pair; says how, or nothing if this chance falls on what is not there."""
    way = chance.choice(WAYS)
    name = DATABASE_OF_WAY.get(way) or chance.choice(DATABASES)
    with lmdb.open(str(folder), map_size=0, max_dbs=15) as environment, \
            environment.begin(write=True) as transaction:
        if name in DATABASES[5:]:
            meta = environment.open_db(b"meta", transaction, create=False)
            name += (".A", ".B")[transaction.get(b"state", db=meta)[0]]
        database = environment.open_db(name.encode(), transaction, create=False)
        pairs = list(transaction.cursor(database))
        if not pairs:
            return None
        key, value = chance.choice(pairs)
        other_key, other_value = chance.choice(pairs)
        changes: dict[bytes, bytes | None] = {}
        if way == "flip" and value:
            changes = {key: flipped(value, chance)}
        elif way == "cut" and value:
            changes = {key: value[:-1]}
        elif way == "delete":
            changes = {key: None}
        elif way == "add":
            new_key = flipped(key, chance)
            changes = {} if transaction.get(new_key, db=database) is not None else {new_key: value}
        elif way == "swap" and value != other_value:
            changes = {key: other_value, other_key: value}
        elif way == "reseal":
            body = flipped(value[:-8], chance)
            changes = {key: body + hashlib.sha256(b"\0" + body).digest()[:8]}
        elif way == "recheck":
            node = flipped(value[:-8], chance)
            changes = {key: node + hashlib.sha256(b"\3" + key + node).digest()[:8]}
        for changed_key, changed_value in changes.items():
            if changed_value is None:
                transaction.delete(changed_key, db=database)
            else:
                transaction.put(changed_key, changed_value, db=database)
    return f"{name.partition('.')[0]}, {way}, key {key.hex()}" if changes else None


def compare(arguments: argparse.Namespace) -> int:
    """Damages and compares; gives the number of disagreements."""
    table: collections.Counter[tuple[str, str, str]] = collections.Counter()
    rules: collections.Counter[str] = collections.Counter()
    disagreements = other_rules = 0
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "ledger"
        while table.total() < arguments.copies:
            source = chance.choice(arguments.ledgers)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy)
            what = damage(copy, chance)
            if what is None:
                continue
            tool = verdict([arguments.tool, "replay", str(copy), "--json"])
            other = verdict([sys.executable, str(FOLDER / "audit.py"), str(copy), "--json"])
            table[what.partition(",")[0], tool.word(), other.word()] += 1
            rules.update(set(other.rules))
            opened = 3 not in (tool.status, other.status)
            other_rules += opened and set(tool.rules) != set(other.rules)
            if not tool.agrees_with(other):
                disagreements += 1
                print(f"{source}, {what}\n  replay: {tool.word()}, first record {tool.first}: "
                      f"{tool.text}\n  audit:  {other.word()}, first record {other.first}: "
                      f"{other.text}", flush=True)
    print(f"{'database':<14}{'replay':<14}{'audit.py':<14}copies")
    for (database, one, two), count in sorted(table.items()):
        print(f"{database:<14}{one:<14}{two:<14}{count:>6}")
    print("rules that audit.py found broken, and in how many copies: "
          + ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())))
    print(f"damaged copies: {table.total()}, seed {arguments.seed}; other sets of broken rules: "
          f"{other_rules}; disagreements: {disagreements}")
    return disagreements


def main() -> int:
    """Reads the command line and compares."""
    parser = argparse.ArgumentParser(description="Compares two auditors on damaged ledgers.")
    parser.add_argument("ledgers", type=pathlib.Path, nargs="+", metavar="LEDGER")
    parser.add_argument("--copies", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--tool", default=str(FOLDER.parent / ".build/debug/reaction-ledger"))
    return 1 if compare(parser.parse_args()) else 0


if __name__ == "__main__":
    sys.exit(main())
