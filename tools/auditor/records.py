"""Records of the log and policies: from bytes and to bytes (F3 to F12)."""

from __future__ import annotations

import dataclasses
import hashlib

ADDED, REMOVED, CREATED, POLICY_CHANGED, USER_ERASED = 1, 2, 3, 4, 5
ADD, REMOVE, CLEAR_MESSAGE, CLEAR_REACTION, ERASE, SET_POLICY, CREATE = range(7)
CAUSE_REPLACED = 1
LAST_CAUSE = 6
KINDS_OF_OPERATION = {
    ADD: (ADDED, REMOVED),
    REMOVE: (REMOVED,),
    CLEAR_MESSAGE: (REMOVED,),
    CLEAR_REACTION: (REMOVED,),
    ERASE: (REMOVED, USER_ERASED),
    SET_POLICY: (POLICY_CHANGED,),
    CREATE: (CREATED,),
}

HAS_CLIENT_TIME, HAS_ACTOR, HAS_PARENT, HAS_COMMAND_ID = 0x01, 0x02, 0x04, 0x08
HAS_USER_COMMITMENT, HAS_ACTOR_COMMITMENT, HAS_PLACE, HAS_TAGGED = 0x10, 0x20, 0x40, 0x80

FIRST_TIME, LAST_TIME = -62_167_219_200_000_000, 253_402_300_799_999_999
LAST_SEQUENCE = 2**48 - 1
MOST_ID_BYTES, MOST_KEY_BYTES, MOST_REACTION_BYTES = 255, 480, 512
MOST_RECORD_BYTES, MOST_RECORDS_OF_COMMAND = 65_535, 8_192
MOST_ALLOWED, MOST_ALLOWED_BYTES = 1_000, 49_152
ALLOW_LIST = 2
SEAL_BYTES = 8


class FormatError(Exception):
    """Bytes that are not of the format; the text says what is wrong with them."""


class Reader:
    """Takes fields off the front of bytes; every method raises FormatError if it cannot."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0

    def take(self, count: int, field: str) -> bytes:
        """The next bytes."""
        end = self._offset + count
        if end > len(self._data):
            raise FormatError(f"the bytes end inside {field}")
        taken = self._data[self._offset:end]
        self._offset = end
        return taken

    def number(self, width: int, field: str, lowest: int = 0, highest: int | None = None) -> int:
        """An unsigned number of so many bytes, in a range."""
        value = int.from_bytes(self.take(width, field), "big")
        if value < lowest or (highest is not None and value > highest):
            raise FormatError(f"{field} is {value}")
        return value

    def time(self, field: str) -> int:
        """A time (F3)."""
        value = int.from_bytes(self.take(8, field), "big", signed=True)
        if not FIRST_TIME <= value <= LAST_TIME:
            raise FormatError(f"{field} is {value}")
        return value

    def text(self, count: int, field: str) -> bytes:
        """Bytes that are UTF-8."""
        return require_text(self.take(count, field), field)

    def end(self) -> None:
        """Nothing is left."""
        if self._offset != len(self._data):
            raise FormatError(f"{len(self._data) - self._offset} bytes more than the fields have")


def require_text(data: bytes, field: str) -> bytes:
    """The same bytes, if they are UTF-8 (F3)."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(f"{field} is not UTF-8") from None
    return data


@dataclasses.dataclass(frozen=True)
class Policy:
    """The rules for adding (F11). Reactions are UTF-8 here and everywhere."""

    selection: int
    most_distinct: int
    most_of_user: int
    validity: int
    allowed: tuple[bytes, ...] = ()

    @staticmethod
    def read(reader: Reader) -> Policy:
        """Takes a policy off the front."""
        selection = reader.number(1, "selection", 0, 1)
        most_distinct = reader.number(1, "most distinct reactions", 1, 100)
        most_of_user = reader.number(1, "most reactions per user", 0, 100)
        validity = reader.number(1, "validity", 0, 3)
        allowed: list[bytes] = []
        if validity == ALLOW_LIST:
            size = 0
            for _ in range(reader.number(2, "count of the allow-list", 0, MOST_ALLOWED)):
                length = reader.number(2, "length of a reaction", 1, MOST_REACTION_BYTES)
                reaction = reader.text(length, "a reaction of the allow-list")
                if allowed and allowed[-1] >= reaction:
                    raise FormatError("the allow-list is not in ascending order")
                size += 2 + length
                allowed.append(reaction)
            if size > MOST_ALLOWED_BYTES:
                raise FormatError(f"the allow-list has {size} bytes")
        return Policy(selection, most_distinct, most_of_user, validity, tuple(allowed))

    def encoded(self) -> bytes:
        """The bytes of F11."""
        data = bytes((self.selection, self.most_distinct, self.most_of_user, self.validity))
        if self.validity == ALLOW_LIST:
            data += number(len(self.allowed), 2)
            data += b"".join(number(len(reaction), 2) + reaction for reaction in self.allowed)
        return data


@dataclasses.dataclass(frozen=True)
class Event:
    """What only events have (F8)."""

    previous: int
    ends: int
    conversation_kind: int
    conversation: bytes
    message: bytes
    reaction: bytes
    parent: bytes | None

    def key(self) -> bytes:
        """The key of the message's row (F17)."""
        return (bytes((self.conversation_kind, len(self.conversation)))
                + self.conversation + self.message)


@dataclasses.dataclass(frozen=True)
class Record:
    """A record without its seal (F5 to F9). What it does not have is None."""

    kind: int
    cause: int
    operation: int
    recorded: int
    user: int
    client_time: int | None
    actor: int | None
    index: int
    count: int
    event: Event | None
    ledger: bytes | None
    policy: Policy | None
    command_id: bytes | None
    user_commitment: bytes | None
    actor_commitment: bytes | None


def number(value: int, width: int) -> bytes:
    """A number in so many bytes."""
    return value.to_bytes(width, "big")


def seal(body: bytes) -> bytes:
    """The seal of a record (F12)."""
    return hashlib.sha256(b"\x00" + body).digest()[:SEAL_BYTES]


def decode_record(data: bytes) -> Record:
    """A record from the value of `events`; raises FormatError. The seal is not checked."""
    if not SEAL_BYTES < len(data) <= MOST_RECORD_BYTES:
        raise FormatError(f"a record of {len(data)} bytes")
    reader = Reader(data[:-SEAL_BYTES])
    reader.number(1, "format version", 0, 0)
    kind = reader.number(1, "kind", ADDED, USER_ERASED)
    cause, operation = divmod(reader.number(1, "cause and operation"), 16)
    if cause > LAST_CAUSE or kind not in KINDS_OF_OPERATION.get(operation, ()):
        raise FormatError(f"kind {kind}, cause {cause}, operation {operation}")
    flags = reader.number(1, "flags")
    is_event = kind in (ADDED, REMOVED)
    check_flags(flags, is_event)
    recorded = reader.time("recorded time")
    user = read_user(reader, kind)
    client_time = reader.time("client time") if flags & HAS_CLIENT_TIME else None
    actor = reader.number(4, "actor", 1) if flags & HAS_ACTOR else None
    if actor == user and operation not in (CLEAR_MESSAGE, CLEAR_REACTION):
        raise FormatError("the actor is the user")
    index, count = read_place(reader) if flags & HAS_PLACE else (0, 1)
    event = read_event(reader, kind, bool(flags & HAS_PARENT)) if is_event else None
    ledger = reader.take(16, "ledger id") if kind == CREATED else None
    policy = Policy.read(reader) if kind in (CREATED, POLICY_CHANGED) else None
    command_id = reader.take(16, "command id") if flags & HAS_COMMAND_ID else None
    if command_id is not None and index != 0:
        raise FormatError(f"a command id at index {index}")
    if flags & HAS_USER_COMMITMENT and user == 0:
        raise FormatError("a commitment to user 0")
    of_user = reader.take(32, "commitment to the user") if flags & HAS_USER_COMMITMENT else None
    of_actor = reader.take(32, "commitment to the actor") if flags & HAS_ACTOR_COMMITMENT else None
    reader.end()
    return Record(kind, cause, operation, recorded, user, client_time, actor, index, count, event,
                  ledger, policy, command_id, of_user, of_actor)


def check_flags(flags: int, is_event: bool) -> None:
    """Flags that may not stand alone, or in a notice (F7, F10)."""
    if flags & HAS_TAGGED:
        raise FormatError("tagged fields, which only a newer format has")
    if not is_event and flags & (HAS_PARENT | HAS_PLACE):
        raise FormatError("a parent or a place in a notice")
    if flags & HAS_ACTOR_COMMITMENT and not flags & HAS_ACTOR:
        raise FormatError("a commitment to an actor, and no actor")


def read_user(reader: Reader, kind: int) -> int:
    """The user, who is 0 exactly in the notices that are of no user (F10)."""
    user = reader.number(4, "user")
    if (user == 0) != (kind in (CREATED, POLICY_CHANGED)):
        raise FormatError(f"user {user} in a record of kind {kind}")
    return user


def read_place(reader: Reader) -> tuple[int, int]:
    """Index and count of a record in its command (F7, F10)."""
    index = reader.number(2, "index")
    count = reader.number(2, "count", 2, MOST_RECORDS_OF_COMMAND)
    if index >= count:
        raise FormatError(f"index {index} of {count}")
    return index, count


def read_event(reader: Reader, kind: int, has_parent: bool) -> Event:
    """The content of an event (F8)."""
    previous = reader.number(6, "previous")
    ends = reader.number(6, "ends", 1) if kind == REMOVED else 0
    conversation_kind = reader.number(1, "conversation kind", 0, 1)
    lengths = [reader.number(1, "length of an id", 1) for _ in range(2)]
    if sum(lengths) > MOST_KEY_BYTES:
        raise FormatError(f"ids of {sum(lengths)} bytes")
    reaction_length = reader.number(2, "length of the reaction", 1, MOST_REACTION_BYTES)
    conversation = reader.text(lengths[0], "conversation id")
    message = reader.text(lengths[1], "message id")
    reaction = reader.text(reaction_length, "reaction")
    parent = None
    if has_parent:
        parent = reader.text(reader.number(1, "length of the parent", 1), "parent")
    return Event(previous, ends, conversation_kind, conversation, message, reaction, parent)


def encode_record(record: Record) -> bytes:
    """The bytes of a record before its seal."""
    parts: list[tuple[int, bytes]] = []  # each field with its flag, 0 if it has none
    if record.client_time is not None:
        parts.append((HAS_CLIENT_TIME, record.client_time.to_bytes(8, "big", signed=True)))
    if record.actor is not None:
        parts.append((HAS_ACTOR, number(record.actor, 4)))
    if (record.index, record.count) != (0, 1):
        parts.append((HAS_PLACE, number(record.index, 2) + number(record.count, 2)))
    parts.append((0, encode_content(record)))
    if record.event is not None and record.event.parent is not None:
        parent = record.event.parent
        parts.append((HAS_PARENT, number(len(parent), 1) + parent))
    for flag, field in ((HAS_COMMAND_ID, record.command_id),
                        (HAS_USER_COMMITMENT, record.user_commitment),
                        (HAS_ACTOR_COMMITMENT, record.actor_commitment)):
        if field is not None:
            parts.append((flag, field))
    flags = sum(flag for flag, _ in parts)
    start = bytes((0, record.kind, record.cause << 4 | record.operation, flags))
    start += record.recorded.to_bytes(8, "big", signed=True) + number(record.user, 4)
    return start + b"".join(field for _, field in parts)


def encode_content(record: Record) -> bytes:
    """The content without the parent (F8, F9)."""
    event = record.event
    if event is None:
        policy = b"" if record.policy is None else record.policy.encoded()
        return (record.ledger or b"") + policy
    ends = number(event.ends, 6) if record.kind == REMOVED else b""
    lengths = bytes((event.conversation_kind, len(event.conversation), len(event.message)))
    return (number(event.previous, 6) + ends + lengths + number(len(event.reaction), 2)
            + event.conversation + event.message + event.reaction)
