"""Signed notes, checkpoints and proofs of Merkle trees (C2SP, RFC 9162)."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import re

from auditor import ed25519
from auditor.tree import join

KEY_TYPE = b"\x01"
MOST_HASHES = 64


class NotProven(Exception):
    """Why bytes prove nothing."""


@dataclasses.dataclass(frozen=True)
class Key:
    """A public key."""

    name: str
    identifier: bytes
    public_key: bytes

    @staticmethod
    def parse(text: str) -> Key:
        """The key that the text of a vkey is."""
        parts = text.split("+", 2)
        if len(parts) != 3:
            raise NotProven("the key is not name+id+key")
        data = unbase64(parts[2])
        if data[:1] != KEY_TYPE or len(data) != 33:
            raise NotProven("the key is not of Ed25519")
        key = Key(parts[0], hashlib.sha256(parts[0].encode() + b"\n" + data).digest()[:4], data[1:])
        if parts[1] != key.identifier.hex():
            raise NotProven(f"the key's id is {parts[1]}, not {key.identifier.hex()}")
        return key


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """What a log's key signed: a size and a root."""

    origin: str
    size: int
    root: bytes


@dataclasses.dataclass(frozen=True)
class InclusionProof:
    """A file .tlog-proof."""

    extra: bytes | None
    index: int
    hashes: list[bytes]
    note: str


def unbase64(text: str) -> bytes:
    """The bytes of standard Base64, of which there is one form only."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NotProven(f"no Base64: {text!r}") from None
    if base64.b64encode(data).decode() != text:
        raise NotProven(f"not the one Base64 of its bytes: {text!r}")
    return data


def decimal(text: str) -> int:
    """A number without sign and leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,19}", text, re.ASCII):
        raise NotProven(f"no number: {text!r}")
    return int(text)


def digest(text: str) -> bytes:
    """A hash in Base64."""
    data = unbase64(text)
    if len(data) != 32:
        raise NotProven(f"a hash of {len(data)} bytes")
    return data


def open_checkpoint(note: str, key: Key) -> Checkpoint:
    """The checkpoint that the key signed."""
    text, blank, signatures = note.rpartition("\n\n")
    if not blank or not signatures.endswith("\n"):
        raise NotProven("no signed note")
    text += "\n"
    is_signed = False
    for line in signatures[:-1].split("\n"):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014":
            raise NotProven(f"no signature: {line!r}")
        blob = unbase64(parts[2])
        if (parts[1], blob[:4]) != (key.name, key.identifier):
            continue
        if not ed25519.is_valid(blob[4:], text.encode(), key.public_key):
            raise NotProven("the signature does not fit")
        is_signed = True
    if not is_signed:
        raise NotProven("the key did not sign it")
    lines = text.split("\n")
    if len(lines) < 4 or lines[0] != key.name:
        raise NotProven("no checkpoint of the key's log")
    return Checkpoint(lines[0], decimal(lines[1]), digest(lines[2]))


def parse_inclusion(text: str) -> InclusionProof:
    """A file .tlog-proof."""
    lines = take_lines(text, "c2sp.org/tlog-proof@v1")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = unbase64(lines.pop(0).removeprefix("extra "))
    if not lines or not lines[0].startswith("index "):
        raise NotProven("no line with the index")
    index = decimal(lines.pop(0).removeprefix("index "))
    hashes, note = take_hashes(lines)
    return InclusionProof(extra, index, hashes, note)


def take_lines(text: str, version: str) -> list[str]:
    """The lines after the one that says what a file is."""
    first, *lines = text.split("\n")
    if first != version:
        raise NotProven(f"the first line is not {version}")
    return lines


def take_hashes(lines: list[str]) -> tuple[list[bytes], str]:
    """Hashes up to a blank line, and the note after it."""
    if "" not in lines:
        raise NotProven("no blank line after the hashes")
    end = lines.index("")
    if end > MOST_HASHES:
        raise NotProven("too many hashes")
    return [digest(line) for line in lines[:end]], "\n".join(lines[end + 1:])


def check_inclusion(leaf: bytes, index: int, head: Checkpoint, hashes: list[bytes]) -> None:
    """RFC 9162, section 2.1.3.2."""
    if index >= head.size:
        raise NotProven(f"a tree of {head.size} has no leaf {index}")
    position, last, root = index, head.size - 1, leaf
    for node in hashes:
        if last == 0:
            raise NotProven("too many hashes")
        if position & 1 or position == last:
            root = join(node, root)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            root = join(root, node)
        position, last = position >> 1, last >> 1
    if last or root != head.root:
        raise NotProven("the hashes do not lead to the root")


def check_consistency(old: Checkpoint, new: Checkpoint, hashes: list[bytes]) -> None:
    """RFC 9162, section 2.1.4.2."""
    if old.size > new.size:
        raise NotProven("the older log is larger")
    if old.size in (0, new.size):
        expected = new.root if old.size else hashlib.sha256(b"").digest()
        if hashes or old.root != expected:
            raise NotProven("the trees differ")
        return
    if old.size & (old.size - 1) == 0:
        hashes = [old.root, *hashes]
    if not hashes:
        raise NotProven("too few hashes")
    position, last = old.size - 1, new.size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old_root = new_root = hashes[0]
    for node in hashes[1:]:
        if last == 0:
            raise NotProven("too many hashes")
        if position & 1 or position == last:
            old_root, new_root = join(node, old_root), join(node, new_root)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            new_root = join(new_root, node)
        position, last = position >> 1, last >> 1
    if last or (old_root, new_root) != (old.root, new.root):
        raise NotProven("the hashes do not lead to both roots")
