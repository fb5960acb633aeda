"""Users and projections: what the state makes them (U1 to U3, J1 to J8)."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator

from auditor.findings import Findings, show
from auditor.log import LiveReaction, Message, State
from auditor.records import MOST_ID_BYTES, FormatError, Reader, number, require_text

LIVE, CLOSING, ERASED = 0, 1, 2
MOST_INLINE = 16
FIRST_REACTORS = 3

Pairs = Iterable[tuple[bytes, bytes]]


@dataclasses.dataclass(frozen=True)
class UserRow:
    """A row of `users` (F15); an erased user has neither salt nor id."""

    state: int
    salt: bytes = b""
    id: bytes = b""

    @staticmethod
    def decoded(data: bytes) -> UserRow:
        """From the value; raises FormatError."""
        reader = Reader(data)
        state = reader.number(1, "state", LIVE, ERASED)
        if state == ERASED:
            reader.end()
            return UserRow(state)
        salt, user_id = reader.take(16, "salt"), data[17:]
        if not 1 <= len(user_id) <= MOST_ID_BYTES:
            raise FormatError(f"an id of {len(user_id)} bytes")
        return UserRow(state, salt, require_text(user_id, "id"))


@dataclasses.dataclass(frozen=True)
class MetaState:
    """The value of `state` in `meta` (F25)."""

    slot: str
    keeps_by_user: bool
    erase_epoch: int
    notices: int
    being_erased: int

    @staticmethod
    def decoded(data: bytes) -> MetaState:
        """From the value; raises FormatError."""
        reader = Reader(data)
        slot = "AB"[reader.number(1, "live slot", 0, 1)]
        keeps_by_user = reader.number(1, "whether byUser is kept", 0, 1) == 1
        numbers = [reader.number(width, "a number of state") for width in (8, 8, 4)]
        if len(data) != 22:
            reader.take(16, "token")
        reader.end()
        return MetaState(slot, keeps_by_user, *numbers)


def check_users(pairs: Pairs, state: State, findings: Findings) -> dict[int, UserRow]:
    """Checks `users` (U1 to U3); the rows that decode, by number."""
    rows: dict[int, UserRow] = {}
    seen: set[int] = set()
    for key, value in pairs:
        user = int.from_bytes(key, "big")
        if len(key) != 4 or not 1 <= user <= len(state.commitments):
            findings.add("U1", f"users {show(key)}", "no row: the log has no such user",
                         show(value))
            if len(key) != 4 or user == 0:
                continue
        seen.add(user)
        try:
            rows[user] = UserRow.decoded(value)
        except FormatError as error:
            findings.add("U1", f"users {user}", "a row", str(error))
    for user, commitment in enumerate(state.commitments, start=1):
        if user not in seen:
            findings.add("U1", f"users {user}", "a row", "nothing")
        elif user in rows:
            check_user(user, rows[user], commitment, user in state.erased, findings)
    return rows


def check_user(
    user: int, row: UserRow, commitment: bytes, is_erased: bool, findings: Findings
) -> None:
    """Checks a row against the log (U2, U3)."""
    if row.state != ERASED:
        found = hashlib.sha256(b"\x02" + row.salt + row.id).digest()
        if found != commitment:
            findings.add("U2", f"users {user}", show(commitment), show(found))
    if (row.state == ERASED) != is_erased:
        expected = "a tombstone" if is_erased else "no tombstone"
        findings.add("U3", f"users {user}", expected, f"state {row.state}")


def check_meta(
    meta: dict[bytes, bytes], meta_state: MetaState | None, state: State, rows: dict[int, UserRow],
    findings: Findings
) -> None:
    """Checks `policy`, `ledger` and the numbers of `state` in `meta` (J7, J8)."""
    policy = None if state.policy is None else state.policy.encoded()
    for rule, key, expected in (("J7", b"policy", policy), ("J8", b"ledger", state.ledger)):
        if meta.get(key) != expected:
            findings.add(rule, f"meta {key.decode()}", show(expected), show(meta.get(key)))
    if meta_state is None:
        return
    being_erased = sum(row.state == CLOSING for row in rows.values())
    for name, expected_number, found_number in (
            ("erase epoch", 2 * len(state.erased) + being_erased, meta_state.erase_epoch),
            ("number of notices", state.notices, meta_state.notices),
            ("number of users being erased", being_erased, meta_state.being_erased)):
        if expected_number != found_number:
            findings.add("J8", f"meta state, {name}", str(expected_number), str(found_number))


def check_user_numbers(pairs: Pairs, rows: dict[int, UserRow], findings: Findings) -> None:
    """Checks `userNumbers` (J6)."""
    expected: dict[bytes, bytes] = {}
    for user, row in rows.items():
        if row.state == ERASED:
            continue
        if row.id in expected:
            findings.add("J6", f"userNumbers {show(row.id)}", "one user with this id",
                         f"also user {user}")
        expected[row.id] = number(user, 4)
    compare("J6", "userNumbers", expected, pairs, findings)


def compare(
    rule: str, name: str, expected: dict[bytes, bytes], pairs: Pairs, findings: Findings
) -> None:
    """Reports pairs of a database that differ, are missing, or are too many; empties `expected`."""
    for key, value in pairs:
        wanted = expected.pop(key, None)
        if wanted != value:
            findings.add(rule, f"{name} {show(key)}", show(wanted), show(value))
    for key, wanted in sorted(expected.items()):
        findings.add(rule, f"{name} {show(key)}", show(wanted), "nothing")


def message_rows(state: State) -> dict[bytes, bytes]:
    """What `messages` should have (F18)."""
    return {key: message_row(message) for key, message in state.messages.items()}


def message_row(message: Message) -> bytes:
    """The row of a message."""
    blocks = (block(reaction, live) for reaction, live in message.reactions.items())
    return number(message.events, 4) + number(message.last, 6) + b"".join(blocks)


def block(reaction: bytes, live: LiveReaction) -> bytes:
    """The block of a live reaction (F18, F19)."""
    entries = list(live.reactors.items())
    count = len(entries)
    spilled = is_spilled(live)
    if spilled:
        entries = entries[:FIRST_REACTORS]
    head = spilled << 15 | len(entries) << 10 | len(reaction)
    return (number(head, 2) + reaction + number(live.opening, 6) + number(count, 4)
            + b"".join(number(user, 4) + number(add, 6) for user, add in entries))


def is_spilled(live: LiveReaction) -> bool:
    """Whether the reactors are in `reactors` and `members` (F19)."""
    return live.peak > MOST_INLINE


def live_reactions(state: State) -> Iterator[LiveReaction]:
    """All live reactions of all messages."""
    for message in state.messages.values():
        yield from message.reactions.values()


def reactor_pairs(state: State) -> dict[bytes, bytes]:
    """What `reactors` should have (F20)."""
    return {number(live.opening, 6) + number(add, 6): number(user, 4)
            for live in live_reactions(state) if is_spilled(live)
            for user, add in live.reactors.items()}


def member_pairs(state: State) -> dict[bytes, bytes]:
    """What `members` should have (F21)."""
    return {number(live.opening, 6) + number(user, 4): number(add, 6)
            for live in live_reactions(state) if is_spilled(live)
            for user, add in live.reactors.items()}


def command_pairs(state: State) -> dict[bytes, bytes]:
    """What `commands` should have (F22)."""
    return {command: number(sequence, 6) for command, sequence in state.commands.items()}


def by_user_pairs(state: State, is_kept: bool) -> dict[bytes, bytes]:
    """What `byUser` should have (F23)."""
    if not is_kept:
        return {}
    return {number(user, 4) + number(add, 6): b""
            for live in live_reactions(state) for user, add in live.reactors.items()}
