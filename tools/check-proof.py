#!/usr/bin/env python3
"""Checks checkpoints and proofs of a ledger from outside; needs Python alone, and no ledger.

    tools/check-proof.py FILE --vkey KEY [--old CHECKPOINT]

FILE is a checkpoint, the proof of a record (a bundle or a .tlog-proof), or a proof of consistency
with the older checkpoint of --old. It was written from the articles "Proofs" and "File format" and
shares no code with the ledger, so that a mistake would have to be made twice to stay unseen.
Exit status: 0 proved, 1 not proved, 2 wrong usage, 4 a file cannot be read.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import pathlib
import sys

from auditor import notes, records
from auditor.notes import Checkpoint, InclusionProof, Key, NotProven

KIND_NAMES = {records.ADDED: "added", records.REMOVED: "removed", records.CREATED: "created",
              records.POLICY_CHANGED: "policyChanged", records.USER_ERASED: "userErased"}


@dataclasses.dataclass(frozen=True)
class ProvenRecord:
    """A record of which it is proved that the log has it."""

    sequence: int
    record: records.Record
    checkpoint: Checkpoint


def prove_record(proof: InclusionProof, key: Key) -> ProvenRecord:
    """Checks that the log has the record on the extra line."""
    checkpoint = notes.open_checkpoint(proof.note, key)
    if proof.extra is None:
        raise NotProven("no extra line with the record")
    leaf = hashlib.sha256(b"\x00" + proof.extra).digest()
    notes.check_inclusion(leaf, proof.index, checkpoint, proof.hashes)
    try:
        record = records.decode_record(proof.extra + leaf[:records.SEAL_BYTES])
    except records.FormatError as error:
        raise NotProven(f"no record: {error}") from None
    return ProvenRecord(proof.index + 1, record, checkpoint)


def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The members of a JSON object, in which no key may be given twice."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotProven("a key is given twice")
    return members


def require_keys(value: object, required: set[str], optional: set[str] = frozenset()) -> dict:
    """A JSON object with these keys and no others."""
    if not isinstance(value, dict) or not required <= set(value) <= required | optional:
        raise NotProven(f"expected an object with the keys {sorted(required)}")
    return value


def prove_bundle(text: str, key: Key) -> tuple[ProvenRecord, dict[int, str | None]]:
    """What a bundle proves: the record, and the ids of its users by number, None if not told."""
    bundle = require_keys(json.loads(text, object_pairs_hook=without_repeats),
                          {"format", "proofs", "users"})
    if bundle["format"] != "reaction-ledger/proof@v1":
        raise NotProven("another format")
    proofs = [notes.parse_inclusion(proof) for proof in bundle["proofs"]]
    if not 1 <= len(proofs) <= 3 or len({proof.note for proof in proofs}) != 1:
        raise NotProven("not one to three proofs that end in one checkpoint")
    proven, *others = [prove_record(proof, key) for proof in proofs]
    record = proven.record
    numbers = [number for number in (record.user, record.actor) if number]
    numbers = list(dict.fromkeys(numbers))
    needed, names = [proven.sequence], {}
    if [user["number"] for user in bundle["users"]] != numbers:
        raise NotProven(f"the users are not {numbers}")
    for user in bundle["users"]:
        require_keys(user, {"number"}, {"salt", "id"})
        first = next((each for each in [proven, *others] if commitment(each, user["number"])), None)
        if first is None or first.sequence > proven.sequence:
            raise NotProven(f"no proof of the first mention of user {user['number']}")
        if first.sequence not in needed:
            needed.append(first.sequence)
        names[user["number"]] = open_user(user, commitment(first, user["number"]))
    if [each.sequence for each in [proven, *others]] != needed:
        raise NotProven(f"not the proofs of the records {needed}")
    return proven, names


def commitment(proven: ProvenRecord, number: int) -> bytes | None:
    """The commitment to a user, if the record has it."""
    if proven.record.user == number and proven.record.user_commitment:
        return proven.record.user_commitment
    return proven.record.actor_commitment if proven.record.actor == number else None


def open_user(user: dict, expected: bytes) -> str | None:
    """The id that opens a commitment; None if nothing is given to open it with."""
    if "salt" not in user and "id" not in user:
        return None
    salt, identifier = user.get("salt"), user.get("id")
    if not isinstance(salt, str) or not isinstance(identifier, str):
        raise NotProven("salt and id are not both texts")
    if salt != salt.lower() or len(salt) != 32:
        raise NotProven("the salt is not 32 digits")
    if hashlib.sha256(b"\x02" + bytes.fromhex(salt) + identifier.encode()).digest() != expected:
        raise NotProven(f"salt and id do not open the commitment to user {user['number']}")
    return identifier


def shown(proven: ProvenRecord, names: dict[int, str | None]) -> dict[str, object]:
    """What is proved, as keys of the ledger's own JSON."""
    record = proven.record
    result: dict[str, object] = {
        "ok": True, "origin": proven.checkpoint.origin, "size": proven.checkpoint.size,
        "sequence": proven.sequence, "kind": KIND_NAMES[record.kind]}
    if record.event is not None:
        kind = "group" if record.event.conversation_kind else "user"
        result["conversation"] = f"{kind}:{record.event.conversation.decode()}"
        result["message"] = record.event.message.decode()
        result["reaction"] = record.event.reaction.decode()
    if record.user:
        result["user"], result["userNumber"] = names.get(record.user), record.user
    if record.actor:
        result["actor"] = names.get(record.actor)
    return result


def check(text: str, key: Key, old: str | None) -> dict[str, object]:
    """What a file proves."""
    if text.startswith("reaction-ledger/consistency@v1\n"):
        if old is None:
            raise NotProven("the older checkpoint is needed: give it with --old")
        lines = notes.take_lines(text, "reaction-ledger/consistency@v1")
        size = notes.decimal(lines.pop(0).removeprefix("old "))
        hashes, note = notes.take_hashes(lines)
        older, newer = notes.open_checkpoint(old, key), notes.open_checkpoint(note, key)
        if older.size != size:
            raise NotProven(f"the older checkpoint has {older.size} records, not {size}")
        notes.check_consistency(older, newer, hashes)
        return {"ok": True, "origin": newer.origin, "oldSize": size, "newSize": newer.size}
    if text.startswith("c2sp.org/tlog-proof@v1\n"):
        return shown(prove_record(notes.parse_inclusion(text), key), {})
    if text.lstrip().startswith("{"):
        try:
            return shown(*prove_bundle(text, key))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise NotProven(f"no bundle: {error}") from None
    checkpoint = notes.open_checkpoint(text, key)
    return {"ok": True, "origin": checkpoint.origin, "size": checkpoint.size,
            "root": checkpoint.root.hex()}


def main() -> int:
    """Checks the file that the arguments name."""
    parser = argparse.ArgumentParser(description="Checks a checkpoint or a proof of a ledger.")
    parser.add_argument("file", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--vkey", required=True, metavar="KEY", help="the ledger's public key")
    parser.add_argument("--old", type=pathlib.Path, metavar="CHECKPOINT")
    arguments = parser.parse_args()
    try:
        # As bytes, so that no newline is changed.
        text, old = arguments.file.read_bytes(), arguments.old and arguments.old.read_bytes()
    except OSError as error:
        print(f"check-proof.py: {error}", file=sys.stderr)
        return 4
    try:
        result = check(text.decode(), Key.parse(arguments.vkey), old.decode() if old else None)
    except (NotProven, UnicodeDecodeError, RecursionError) as error:
        print(json.dumps({"ok": False, "reason": str(error)}))
        return 1
    print(json.dumps(result, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
