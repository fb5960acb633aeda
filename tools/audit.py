#!/usr/bin/env python3
"""Audits a ledger from outside: an independent check of every rule of its file format.

    pip install lmdb
    tools/audit.py LEDGER [--json] [--limit N] [--tree-size N] [--unicode FOLDER]

It was written from the article "File format, version 0" (FileFormat.md) alone and shares no code
with the engine, so that the two can be held against each other: what one overlooks the other may
find. It checks the log, users, the legality of every event, every projection byte for byte, and the
stored hashes of the tree, in one snapshot, while others may write, and never writes to the ledger.
It also prints the root of the tree of all records (RFC 6962), to be compared with a checkpoint that
was kept elsewhere. It does not look at pages (rule S1) and knows no keys (rule T2).
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import dataclasses
import fcntl
import json
import pathlib
import signal
import sys
from collections.abc import Iterator

from auditor.findings import Findings, show
from auditor.log import LogAudit, State
from auditor.projections import (
    MetaState, by_user_pairs, check_meta, check_user_numbers, check_users, command_pairs, compare,
    member_pairs, message_rows, reactor_pairs)
from auditor.reactions import UNICODE_VERSION, Forms, TablesMissing
from auditor.records import FormatError
from auditor.tree import check_tree

AGREES, HAS_FINDINGS, CANNOT_OPEN = 0, 1, 3  # and 2 for wrong usage, from argparse

try:
    import lmdb
except ImportError:
    print("audit.py: the package lmdb is missing; install it with: pip install lmdb",
          file=sys.stderr)
    sys.exit(CANNOT_OPEN)

MOST_DATABASES = 15


class CannotOpen(Exception):
    """The folder has no ledger that this auditor can read."""


class Snapshot:
    """All databases of a ledger as of one commit."""

    def __init__(self, environment: lmdb.Environment, transaction: lmdb.Transaction) -> None:
        self._environment = environment
        self._transaction = transaction

    def pairs(self, name: str) -> Iterator[tuple[bytes, bytes]]:
        """The pairs of a database, in the order of their keys."""
        try:
            database = self._environment.open_db(name.encode(), self._transaction, create=False)
        except lmdb.Error as error:
            raise CannotOpen(f"no database \"{name}\" of a ledger: {error}") from None
        with self._transaction.cursor(database) as cursor:
            yield from cursor


@dataclasses.dataclass
class Audit:
    """What an audit tells."""

    findings: Findings
    state: State
    size: int
    root: bytes
    unchecked: dict[str, str]  # rules that could not be checked, and why


@contextlib.contextmanager
def opened(folder: pathlib.Path) -> Iterator[Snapshot]:
    """Opens the ledger in a folder as a reader; holds the shared lock of F1 where there is one."""
    if not (folder / "data.mdb").is_file():
        raise CannotOpen("no ledger: there is no data.mdb in it")
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(FileNotFoundError):
            lock = stack.enter_context(open(folder / "ledger.lock", "rb"))
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        # A map size of 0 is that of the data file, so that a growing ledger is no trouble.
        environment = stack.enter_context(lmdb.open(
            str(folder), readonly=True, create=False, subdir=True, lock=True, map_size=0,
            max_dbs=MOST_DATABASES))
        yield Snapshot(environment, stack.enter_context(environment.begin()))


def audit(
    snapshot: Snapshot, limit: int, tree_size: int | None, unicode_folder: pathlib.Path
) -> Audit:
    """Checks everything."""
    findings = Findings(limit)
    unchecked: dict[str, str] = {}
    meta = dict(snapshot.pairs("meta"))
    if meta.get(b"format") != b"\0\0":
        raise CannotOpen(f"format version 0 is expected, found {show(meta.get(b'format'))}")
    log = LogAudit(findings, read_forms(unicode_folder, unchecked), tree_size)
    log.run(snapshot.pairs("events"))
    if log.root is None:
        raise CannotOpen(
            f"a tree of {tree_size} records was asked for, the log has {log.tree.size}")
    rows = check_users(snapshot.pairs("users"), log.state, findings)
    meta_state = read_meta_state(meta, findings, unchecked)
    if meta_state is not None:
        check_slot(snapshot, meta_state, log.state, findings)
    check_user_numbers(snapshot.pairs("userNumbers"), rows, findings)
    check_meta(meta, meta_state, log.state, rows, findings)
    check_tree(snapshot.pairs("tree"), log.tree, findings)
    size = log.tree.size if tree_size is None else tree_size
    return Audit(findings, log.state, size, log.root, unchecked)


def read_forms(folder: pathlib.Path, unchecked: dict[str, str]) -> Forms | None:
    """Unicode's data, if it is there."""
    try:
        return Forms(folder)
    except TablesMissing as error:
        unchecked["L10"] = str(error)
        return None


def read_meta_state(
    meta: dict[bytes, bytes], findings: Findings, unchecked: dict[str, str]
) -> MetaState | None:
    """What `meta` says of slots and numbers; also that `tables` names the known version (J8)."""
    tables = meta.get(b"tables")
    if tables != UNICODE_VERSION.encode():
        findings.add("J8", "meta tables", UNICODE_VERSION, show(tables))
    try:
        return MetaState.decoded(meta.get(b"state", b""))
    except FormatError as error:
        findings.add("J8", "meta state", "bytes of the format", str(error))
        unchecked["J1-J5"] = "the live slot is unknown"
        return None


def check_slot(
    snapshot: Snapshot, meta_state: MetaState, state: State, findings: Findings
) -> None:
    """Compares the projections of the live slot (J1 to J5)."""
    for rule, name, expected in (
            ("J1", "messages", message_rows(state)),
            ("J2", "reactors", reactor_pairs(state)),
            ("J3", "members", member_pairs(state)),
            ("J4", "commands", command_pairs(state)),
            ("J5", "byUser", by_user_pairs(state, meta_state.keeps_by_user))):
        compare(rule, name, expected, snapshot.pairs(f"{name}.{meta_state.slot}"), findings)


def print_json(result: Audit) -> None:
    """One document, with the keys that `reaction-ledger replay --json` has, and more."""
    print(json.dumps({
        "ok": result.findings.count == 0,
        "events": result.state.events,
        "messages": len(result.state.messages),
        "users": len(result.state.commitments),
        "head": result.state.head,
        "findings": [dataclasses.asdict(finding) for finding in result.findings.first],
        "findingCount": result.findings.count,
        "treeSize": result.size,
        "treeRoot": base64.b64encode(result.root).decode(),
        "treeRootHex": result.root.hex(),
        "unchecked": result.unchecked,
    }, ensure_ascii=False))


def print_text(result: Audit) -> None:
    """Findings, then what was read."""
    findings, state = result.findings, result.state
    for finding in findings.first:
        print(finding)
    if findings.count > len(findings.first):
        print(f"… and {findings.count - len(findings.first)} more")
    for rules, reason in result.unchecked.items():
        print(f"not checked: {rules}, {reason}")
    verdict = f"findings: {findings.count}" if findings.count else "everything agrees"
    print(f"{verdict}; events: {state.events}, messages: {len(state.messages)}, "
          f"users: {len(state.commitments)}, head: {state.head}")
    print(f"root of the tree of {result.size} records:",
          base64.b64encode(result.root).decode(), result.root.hex(), sep="\n  ")


def natural(text: str) -> int:
    """A number of an option."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def parse_arguments() -> argparse.Namespace:
    """The command line; ends the process with 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        prog="audit.py", description="Checks every rule of a ledger's file format, from outside.",
        epilog="Exit status: 0 everything agrees, 1 there are findings, 2 wrong usage, "
               "3 the ledger cannot be opened or read.")
    parser.add_argument("ledger", type=pathlib.Path, help="the folder of the ledger")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--limit", type=natural, default=100, metavar="N",
                        help="list at most so many findings (default 100); all are counted")
    parser.add_argument("--tree-size", type=natural, metavar="N",
                        help="print the root of the first N records, as an older checkpoint has it")
    parser.add_argument("--unicode", type=pathlib.Path, default=pathlib.Path("/usr/share/unicode"),
                        metavar="FOLDER", help="Unicode's data files, as in Debian's unicode-data")
    return parser.parse_args()


def main() -> int:
    """Audits, prints, and gives the exit status."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `audit.py … | head` ends quietly
    arguments = parse_arguments()
    try:
        with opened(arguments.ledger) as snapshot:
            result = audit(snapshot, arguments.limit, arguments.tree_size, arguments.unicode)
    except BlockingIOError:
        print(f"audit.py: {arguments.ledger}: held alone by another process", file=sys.stderr)
        return CANNOT_OPEN
    except (CannotOpen, OSError, lmdb.Error) as error:
        print(f"audit.py: {arguments.ledger}: {error}", file=sys.stderr)
        return CANNOT_OPEN
    (print_json if arguments.json else print_text)(result)
    return HAS_FINDINGS if result.findings.count else AGREES


if __name__ == "__main__":
    sys.exit(main())
