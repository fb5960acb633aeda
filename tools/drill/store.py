"""A ledger's store, opened past the engine to be changed, and its log to be forged."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator, Sequence
from types import TracebackType

import lmdb

from auditor.findings import Findings
from auditor.log import LogAudit, State
from auditor.projections import (
    CLOSING, ERASED, MetaState, UserRow, by_user_pairs, command_pairs, member_pairs, message_rows,
    reactor_pairs)
from auditor.records import REMOVED, Record, decode_record, encode_record, number, seal

MOST_DATABASES = 15
PROJECTIONS = ("messages", "reactors", "members", "commands", "byUser")


class Store:
    """One write transaction on a ledger's file; committed if the block ends well."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._environment = lmdb.open(
            str(folder), map_size=1 << 30, max_dbs=MOST_DATABASES, sync=False)
        self._transaction = self._environment.begin(write=True)
        self.meta = MetaState.decoded(self.pairs("meta")[b"state"])

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._transaction.commit()
        else:
            self._transaction.abort()
        self._environment.close()

    def _database(self, name: str) -> object:
        if name in PROJECTIONS:
            name = f"{name}.{self.meta.slot}"
        return self._environment.open_db(name.encode(), self._transaction, create=False)

    def pairs(self, name: str) -> dict[bytes, bytes]:
        """The pairs of a database, in order; of a projection, of its live slot."""
        with self._transaction.cursor(self._database(name)) as cursor:
            return dict(cursor)

    def put(self, name: str, key: bytes, value: bytes) -> None:
        """Puts a pair."""
        self._transaction.put(key, value, db=self._database(name))

    def delete(self, name: str, key: bytes) -> None:
        """Takes a pair away."""
        self._transaction.delete(key, db=self._database(name))

    def replace(self, name: str, pairs: dict[bytes, bytes]) -> None:
        """Puts these pairs in place of all that are there."""
        database = self._database(name)
        self._transaction.drop(database, delete=False)
        for key in sorted(pairs):
            self._transaction.put(key, pairs[key], db=database)

    def log(self) -> Log:
        """The log."""
        return Log([decode_record(value) for value in self.pairs("events").values()])

    def put_log(self, log: Log) -> None:
        """Puts a log in place of the one that is there, and nothing else."""
        self.replace("events", dict(log.pairs()))

    def put_history(self, log: Log) -> bool:
        """Puts a log in place of the one that is there, with all that follows from it.

        Users that it does not mention go; it must need none that are not there. Returns whether the
        log is sound by itself: only then nothing but a checkpoint can tell.
        """
        findings = Findings(10)
        audit = LogAudit(findings, None)
        audit.run(log.pairs())
        state = audit.state
        self.put_log(log)
        self._put_projections(state)
        rows = {key: value for key, value in self.pairs("users").items()
                if int.from_bytes(key, "big") <= len(state.commitments)}
        self.replace("users", rows)
        decoded = {key: UserRow.decoded(value) for key, value in rows.items()}
        self.replace("userNumbers", {
            row.id: key for key, row in decoded.items() if row.state != ERASED})
        closing = sum(row.state == CLOSING for row in decoded.values())
        assert state.policy is not None
        self.put("meta", b"policy", state.policy.encoded())
        self.put_state(dataclasses.replace(
            self.meta, erase_epoch=2 * len(state.erased) + closing, notices=state.notices,
            being_erased=closing))
        self.replace("tree", {})
        return findings.count == 0

    def _put_projections(self, state: State) -> None:
        for name, pairs in (
                ("messages", message_rows(state)), ("reactors", reactor_pairs(state)),
                ("members", member_pairs(state)), ("commands", command_pairs(state)),
                ("byUser", by_user_pairs(state, self.meta.keeps_by_user))):
            self.replace(name, pairs)

    def put_state(self, meta: MetaState) -> None:
        """Puts what `meta` says of slots and numbers (F25)."""
        self.put("meta", b"state", bytes(("AB".index(meta.slot), meta.keeps_by_user))
                 + number(meta.erase_epoch, 8) + number(meta.notices, 8)
                 + number(meta.being_erased, 4))


class Log:
    """Records to be changed; the one at index n has the sequence n + 1."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = list(records)

    def pairs(self) -> Iterator[tuple[bytes, bytes]]:
        """What `events` holds: every record sealed."""
        for index, record in enumerate(self.records):
            yield number(index + 1, 8), sealed(record)

    def change(self, index: int, **fields: object) -> None:
        """Changes fields of a record; those of its event are named event_previous and so on."""
        record = self.records[index]
        of_event = {name.removeprefix("event_"): value for name, value in fields.items()
                    if name.startswith("event_")}
        others = {name: value for name, value in fields.items() if not name.startswith("event_")}
        if of_event and record.event is not None:
            others["event"] = dataclasses.replace(record.event, **of_event)
        self.records[index] = dataclasses.replace(record, **others)

    def remove(self, index: int) -> None:
        """Takes a record out; the others move up, and name each other as before."""
        del self.records[index]
        self._renumber(lambda sequence: sequence - (sequence > index + 1))

    def insert(self, index: int, record: Record) -> None:
        """Puts a record in; the others move down, and name each other as before."""
        self._renumber(lambda sequence: sequence + (sequence > index))
        self.records.insert(index, record)

    def _renumber(self, moved: object) -> None:
        for index, record in enumerate(self.records):
            if record.event is not None and record.kind == REMOVED:
                self.change(index, event_ends=moved(record.event.ends))

    def mend_chains(self) -> None:
        """Lets every event name the one before it on its message."""
        last: dict[bytes, int] = {}
        for index, record in enumerate(self.records):
            if record.event is not None:
                key = record.event.key()
                self.change(index, event_previous=last.get(key, 0))
                last[key] = index + 1

    def ended(self) -> set[int]:
        """The sequences of adds that a later record ends."""
        return {record.event.ends for record in self.records
                if record.event is not None and record.kind == REMOVED}

    def command_ends(self) -> list[int]:
        """The sequences with which a command ends."""
        return [index + 1 for index, record in enumerate(self.records)
                if record.index + 1 == record.count]


def sealed(record: Record) -> bytes:
    """A record as `events` has it."""
    body = encode_record(record)
    return body + seal(body)
