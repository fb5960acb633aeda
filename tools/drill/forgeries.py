"""Changes of the log itself, from a bit to a history that is sound in all but its past."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import random
from collections.abc import Callable

from auditor.records import ADDED, SEAL_BYTES, Record, number, seal
from drill.changes import Change, Target, flipped
from drill.store import Log, Store

Forgery = Callable[[Log, random.Random], str | None]

# --- Records, one or two, and nothing else ----------------------------------------------------


def record(way: str, target: Target, chance: random.Random) -> str | None:
    """A record removed, two swapped, one added, one changed, with or without its seal."""
    with Store(target.folder) as store:
        pairs = store.pairs("events")
        key, other = chance.choice(list(pairs)), chance.choice(list(pairs))
        value = pairs[key]
        body = value[:-SEAL_BYTES]
        changes: dict[bytes, bytes] = {}
        if way == "removed":
            store.delete("events", key)
        elif way == "swapped":
            changes = {key: pairs[other], other: value}
        elif way == "added":
            changes = {number(len(pairs) + 1, 8): value}
        elif way == "changed":
            changes = {key: flipped(value, chance.randrange(len(value) * 8))}
        else:
            body = flipped(body, chance.randrange(len(body) * 8))
            changes = {key: body + seal(body)}
        if key == other and way == "swapped":
            return None
        for changed, new in changes.items():
            store.put("events", changed, new)
    return f"record {int.from_bytes(key, 'big')}, {int.from_bytes(other, 'big')}"


def cut(target: Target, chance: random.Random) -> str:
    """The newest records taken away, and nothing else."""
    with Store(target.folder) as store:
        keys = list(store.pairs("events"))
        count = chance.randrange(1, 20)
        for key in keys[-count:]:
            store.delete("events", key)
    return f"the last {count}"


# --- Histories: the log is forged, and all that follows from it may follow --------------------


def lone_add(log: Log, chance: random.Random) -> int | None:
    """The index of an add that is a command by itself, is never ended, and introduces nobody."""
    ended = log.ended()
    indices = [index for index, record in enumerate(log.records)
               if record.kind == ADDED and record.count == 1 and index + 1 not in ended
               and record.user_commitment is None and record.actor_commitment is None]
    return chance.choice(indices) if indices else None


def is_free(log: Log, message: bytes, reaction: bytes, user: int) -> bool:
    """Whether no record says anything of this user and reaction on the message."""
    return all(record.event is None or record.user != user or record.event.key() != message
               or record.event.reaction != reaction for record in log.records)


def left_out(log: Log, chance: random.Random) -> str | None:
    """A reaction that was never added."""
    index = lone_add(log, chance)
    if index is None:
        return None
    log.remove(index)
    return f"without record {index + 1}"


def put_in(log: Log, chance: random.Random) -> str | None:
    """A reaction that nobody added, in the middle."""
    index = lone_add(log, chance)
    if index is None:
        return None
    forged = dataclasses.replace(log.records[index], command_id=None)
    users = range(1, max(record.user for record in log.records[:index]) + 1)
    user = chance.choice(users)
    if forged.event is None or user == forged.actor or not is_free(
            log, forged.event.key(), forged.event.reaction, user):
        return None
    if is_erased(log, user):
        return None
    log.insert(index, dataclasses.replace(forged, user=user))
    return f"a reaction of user {user} before record {index + 1}"


def is_erased(log: Log, user: int) -> bool:
    """Whether the log says that the user was erased."""
    return any(record.event is None and record.user == user for record in log.records)


def other_reaction(log: Log, chance: random.Random) -> str | None:
    """Another reaction than the one that was added."""
    index = lone_add(log, chance)
    event = None if index is None else log.records[index].event
    if index is None or event is None:
        return None
    reaction = chance.choice(("😡", "🤝", ":forged:")).encode()
    if not is_free(log, event.key(), reaction, log.records[index].user):
        return None
    log.change(index, event_reaction=reaction)
    return f"record {index + 1} has {reaction.decode()}"


def other_user(log: Log, chance: random.Random) -> str | None:
    """Another user than the one who reacted."""
    index = lone_add(log, chance)
    if index is None:
        return None
    record, user = log.records[index], chance.randrange(1, 12)
    known = max(earlier.user for earlier in log.records[:index])
    if record.event is None or user > known or user in (record.user, record.actor) or is_erased(
            log, user) or not is_free(log, record.event.key(), record.event.reaction, user):
        return None
    log.change(index, user=user)
    return f"record {index + 1} is of user {user}"


def other_message(log: Log, chance: random.Random) -> str | None:
    """Another message than the one that was reacted to."""
    index, donor = lone_add(log, chance), lone_add(log, chance)
    if index is None or donor is None:
        return None
    record, event = log.records[index], log.records[donor].event
    if event is None or record.event is None or event.key() == record.event.key() or not is_free(
            log, event.key(), record.event.reaction, record.user):
        return None
    log.change(index, event_conversation_kind=event.conversation_kind,
               event_conversation=event.conversation, event_message=event.message)
    return f"record {index + 1} is on the message of record {donor + 1}"


def other_time(log: Log, chance: random.Random) -> str | None:
    """A client time that was never given."""
    index = chance.randrange(1, len(log.records))
    if log.records[index].count != 1:
        return None
    log.change(index, client_time=1_700_000_000_000_000 + chance.randrange(10**12))
    return f"record {index + 1} has a client time"


def forged(forgery: Forgery, with_all: bool, target: Target, chance: random.Random) -> str | None:
    """A forged log, every record sealed and chains mended; with all that follows, if asked for."""
    with Store(target.folder) as store:
        log = store.log()
        what = forgery(log, chance)
        if what is None:
            return None
        log.mend_chains()
        if not with_all:
            store.put_log(log)
        elif not store.put_history(log):
            what += " (not sound)"
    return what


def shortened(target: Target, chance: random.Random) -> str:
    """The newest commands never happened: a shorter log, and all that follows from it."""
    with Store(target.folder) as store:
        log = store.log()
        ends = log.command_ends()
        size = ends[-chance.randrange(2, min(40, len(ends)))]
        del log.records[size:]
        is_sound = store.put_history(log)
    return f"{size} records are left{'' if is_sound else ' (not sound)'}"


def other_person(target: Target, chance: random.Random) -> str | None:
    """Another person behind a number: commitment, salt and id exchanged together."""
    with Store(target.folder) as store:
        log = store.log()
        rows = {key: value for key, value in store.pairs("users").items() if value[0] == 0}
        key = chance.choice(list(rows))
        salt, name = chance.randbytes(16), b"somebody-else"
        commitment = hashlib.sha256(b"\x02" + salt + name).digest()
        index = first_mention(log.records, int.from_bytes(key, "big"))
        if index is None:
            return None
        of_user = log.records[index].user == int.from_bytes(key, "big")
        field = "user_commitment" if of_user else "actor_commitment"
        log.change(index, **{field: commitment})
        store.put_log(log)
        store.put("users", key, b"\0" + salt + name)
        store.delete("userNumbers", rows[key][17:])
        store.put("userNumbers", name, key)
    return f"user {int.from_bytes(key, 'big')}, record {index + 1}"


def first_mention(records: list[Record], user: int) -> int | None:
    """The index of the record that introduces a user."""
    for index, record in enumerate(records):
        if (record.user == user and record.user_commitment is not None) or (
                record.actor == user and record.actor_commitment is not None):
            return index
    return None


def forgery_kinds() -> dict[str, Change]:
    """Each forgery, of the log alone and with all that follows."""
    kinds: dict[str, Change] = {}
    for word, forgery in (
            ("one left out", left_out), ("one put in", put_in),
            ("another reaction", other_reaction), ("another user", other_user),
            ("another message", other_message), ("another time", other_time)):
        kinds[f"log mended: {word}"] = functools.partial(forged, forgery, False)
        kinds[f"all mended: {word}"] = functools.partial(forged, forgery, True)
    return kinds


KINDS: dict[str, Change] = {
    **{f"log: {way}": functools.partial(record, way)
       for way in ("removed", "swapped", "added", "changed", "changed, sealed")},
    "log: cut": cut,
    **forgery_kinds(),
    "all mended: cut": shortened,
    "all mended: another person": other_person,
}
