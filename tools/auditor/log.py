"""The log: what it means, and the rules that its records keep (L1 to L10, E1 to E4)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable

from auditor.findings import Findings, show
from auditor.reactions import Forms
from auditor.records import (
    ADD, ADDED, CAUSE_REPLACED, CLEAR_MESSAGE, CLEAR_REACTION, CREATED, ERASE, LAST_SEQUENCE,
    REMOVE, REMOVED, SEAL_BYTES, USER_ERASED, Event, FormatError, Policy, Record, decode_record,
    encode_record, seal)
from auditor.tree import Tree


@dataclasses.dataclass
class LiveReaction:
    """A reaction on a message: reactors are user → sequence of the add, in order of their adds."""

    opening: int
    peak: int = 0
    reactors: dict[int, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Message:
    """What the log says of a message; live reactions are in order of opening."""

    events: int = 0
    last: int = 0
    reactions: dict[bytes, LiveReaction] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class State:
    """What the log means. Messages are under the keys of their rows (F17)."""

    head: int = 0
    ledger: bytes | None = None
    policy: Policy | None = None
    events: int = 0
    notices: int = 0
    messages: dict[bytes, Message] = dataclasses.field(default_factory=dict)
    commitments: list[bytes] = dataclasses.field(default_factory=list)  # of user 1, 2, 3 …
    live_of_user: Counter[int] = dataclasses.field(default_factory=Counter)
    erased: set[int] = dataclasses.field(default_factory=set)
    commands: dict[bytes, int] = dataclasses.field(default_factory=dict)


class LogAudit:
    """Runs the records through a state, and checks each against the state before it."""

    def __init__(
        self, findings: Findings, forms: Forms | None, tree_size: int | None = None
    ) -> None:
        self.state = State()
        self.tree = Tree()
        self.root: bytes | None = None  # of the first `tree_size` records, or of all
        self._tree_size = tree_size
        self._findings = findings
        self._forms = forms  # None: L10 is not checked
        self._before: Record | None = None  # None also after one that does not decode
        self._canonical: dict[bytes, bool] = {}

    def run(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        """Checks all pairs of `events`, in order."""
        has_first = False
        self._note_root()
        for key, value in pairs:
            sequence = int.from_bytes(key, "big")
            if len(key) != 8 or not 1 <= sequence <= LAST_SEQUENCE:
                self._findings.add("L1", f"events {show(key)}", "a sequence as key", "another key")
                continue
            has_first = has_first or sequence == 1
            self._check(sequence, value)
        if self._before is not None and self._before.index + 1 != self._before.count:
            self._findings.add_at(
                self.state.head, "L6", f"{self._before.count} records of its command",
                f"the log's end after {self._before.index + 1}")
        if not has_first:
            self._findings.add("L9", "events 1", "the record \"created\"", "no record")
        if self._tree_size is None:
            self.root = self.tree.root()

    def _note_root(self) -> None:
        if self.tree.size == self._tree_size:
            self.root = self.tree.root()

    def _check(self, sequence: int, value: bytes) -> None:
        if sequence != self.state.head + 1:
            self._findings.add_at(sequence, "L1", f"sequence {self.state.head + 1}", f"{sequence}")
        self.state.head = sequence
        body, found_seal = value[:-SEAL_BYTES], value[-SEAL_BYTES:]
        self.tree.append(body)
        self._note_root()
        try:
            record = decode_record(value)
        except FormatError as error:
            self._findings.add_at(sequence, "L2", "a record", str(error))
            self._before = None
            return
        if encode_record(record) != body:
            self._findings.add_at(sequence, "L3", show(encode_record(record)), show(body))
        if seal(body) != found_seal:
            self._findings.add_at(sequence, "L4", seal(body).hex(), found_seal.hex())
        self._check_order(sequence, record)
        self._check_users(sequence, record)
        if (record.kind == CREATED) != (sequence == 1):
            self._findings.add_at(sequence, "L9", "\"created\" as record 1, and only there",
                                  f"kind {record.kind}")
        self._check_reactions(sequence, record)
        self._apply(sequence, record)
        self._before = record

    def _check_order(self, sequence: int, record: Record) -> None:
        before = self._before
        if before is not None and record.recorded < before.recorded:
            self._findings.add_at(sequence, "L5", f"a time from {before.recorded} on",
                                  f"{record.recorded}")
        breach = place_breach(before, record) or operation_breach(before, record)
        if breach is not None:
            self._findings.add_at(sequence, "L6", *breach)
        if record.event is not None:
            message = self.state.messages.get(record.event.key())
            last = 0 if message is None else message.last
            if record.event.previous != last:
                self._findings.add_at(sequence, "L7", f"previous {last}",
                                      f"previous {record.event.previous}")

    def _check_users(self, sequence: int, record: Record) -> None:
        """L8, which makes new users known, and that an erased user is not mentioned (E4)."""
        mentioned = ((record.user or None, record.user_commitment, "user"),
                     (record.actor, record.actor_commitment, "actor"))
        for user, commitment, role in mentioned:
            if user is None:
                continue
            known = len(self.state.commitments)
            found = f"{role} {user} {'without' if commitment is None else 'with'} a commitment"
            if user <= known and commitment is not None:
                self._findings.add_at(sequence, "L8", "no commitment to a known user", found)
            elif user > known and (commitment is None or user != known + 1):
                self._findings.add_at(sequence, "L8", f"user {known + 1} with a commitment", found)
            elif user > known and commitment is not None:
                self.state.commitments.append(commitment)
            if user in self.state.erased:
                self._findings.add_at(sequence, "E4", "no word of an erased user", f"{role} {user}")

    def _check_reactions(self, sequence: int, record: Record) -> None:
        reactions = record.policy.allowed if record.policy is not None else ()
        if record.event is not None:
            reactions = (record.event.reaction,)
        for reaction in reactions:
            if not self._is_canonical(reaction):
                self._findings.add_at(sequence, "L10", "a canonical reaction", show(reaction))

    def _is_canonical(self, reaction: bytes) -> bool:
        if self._forms is None:
            return True
        if reaction not in self._canonical:
            text = reaction.decode()
            self._canonical[reaction] = self._forms.canonical(text) == text
        return self._canonical[reaction]

    def _apply(self, sequence: int, record: Record) -> None:
        state = self.state
        if record.command_id is not None:
            if record.command_id in state.commands:
                self._findings.add_at(sequence, "E3", "a new command id",
                                      f"that of record {state.commands[record.command_id]}")
            state.commands[record.command_id] = sequence
        if record.event is not None:
            self._apply_event(sequence, record, record.event)
            return
        state.notices += 1
        if record.policy is not None:
            state.policy = record.policy
        if record.ledger is not None:
            state.ledger = record.ledger
        if record.kind == USER_ERASED:
            if state.live_of_user[record.user]:
                self._findings.add_at(sequence, "E4", f"no live reaction of user {record.user}",
                                      f"{state.live_of_user[record.user]}")
            state.erased.add(record.user)

    def _apply_event(self, sequence: int, record: Record, event: Event) -> None:
        self.state.events += 1
        message = self.state.messages.setdefault(event.key(), Message())
        message.events += 1
        message.last = sequence
        live = message.reactions.get(event.reaction)
        add = None if live is None else live.reactors.get(record.user)
        if record.kind == ADDED:
            if add is not None:
                self._findings.add_at(sequence, "E1", f"no live reaction of user {record.user}",
                                      f"that of record {add}")
                return
            if live is None:
                live = message.reactions[event.reaction] = LiveReaction(sequence)
            live.reactors[record.user] = sequence
            live.peak = max(live.peak, len(live.reactors))
            self.state.live_of_user[record.user] += 1
        elif live is None or add is None or add != event.ends:
            self._findings.add_at(sequence, "E2", f"a live add of user {record.user}",
                                  f"{event.ends}, and live is {add or 'none'}")
        else:
            del live.reactors[record.user]
            self.state.live_of_user[record.user] -= 1
            if not live.reactors:
                del message.reactions[event.reaction]


def place_breach(before: Record | None, record: Record) -> tuple[str, str] | None:
    """What is wrong with a record's place in its command (F13): expected and found."""
    found = f"index {record.index} of {record.count}"
    if before is not None and before.index + 1 < before.count:
        if (record.index, record.count) != (before.index + 1, before.count):
            return f"index {before.index + 1} of {before.count}", found
        return None
    return ("index 0", found) if record.index != 0 else None


def operation_breach(before: Record | None, record: Record) -> tuple[str, str] | None:
    """What is wrong with a record beside those of its command before it (F13)."""
    if record.operation == ADD and record.kind == REMOVED and record.cause != CAUSE_REPLACED:
        return "cause replaced in an add that removes", f"cause {record.cause}"
    if record.operation == REMOVE and record.count != 1:
        return "one record in a remove", f"{record.count}"
    if record.index == 0 or before is None:
        return None
    for name, of_before, of_record in zip(SHARED, shared(before), shared(record)):
        if of_before != of_record:
            return f"the same {name} in all records of a command", "another"
    if record.operation == ADD and before.kind == ADDED:
        return "an added as the last record of its command", "one after it"
    return None


SHARED = ("operation", "recorded time", "client time", "actor", "conversation and message",
          "parent", "user", "cause", "reaction")


def shared(record: Record) -> tuple[object, ...]:
    """What all records of a command have in common, in the order of `SHARED`; None if nothing."""
    event = record.event
    return (
        record.operation, record.recorded, record.client_time, record.actor,
        None if event is None else event.key(),
        None if event is None else event.parent,
        record.user if record.operation in (ADD, ERASE) else None,
        record.cause if record.operation in (CLEAR_MESSAGE, CLEAR_REACTION, ERASE) else None,
        event.reaction if event is not None and record.operation == CLEAR_REACTION else None)
