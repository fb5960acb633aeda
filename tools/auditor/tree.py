"""The Merkle tree of the log (RFC 6962, section 2.1), and the hashes stored of it (F24, T1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from auditor.findings import Findings, show

STORED_LEVELS = (8, 16, 24, 32, 40)
HASH_BYTES = 32
CHECK_BYTES = 8


class Tree:
    """A tree that grows by a leaf at a time.

    Of its full subtrees it knows only the largest, and those of the levels that a ledger stores.
    """

    def __init__(self) -> None:
        self.size = 0
        self.stored: dict[tuple[int, int], bytes] = {}  # by level and index
        self._subtrees: list[bytes] = []  # largest first, one for each bit of the size

    def append(self, leaf: bytes) -> None:
        """Adds a leaf: the bytes of a record before its seal."""
        node = hashlib.sha256(b"\x00" + leaf).digest()
        index, level = self.size, 0
        while index & 1:
            node = join(self._subtrees.pop(), node)
            index, level = index >> 1, level + 1
            if level in STORED_LEVELS:
                self.stored[level, index] = node
        self._subtrees.append(node)
        self.size += 1

    def root(self) -> bytes:
        """The root; of an empty tree the hash of nothing."""
        if not self._subtrees:
            return hashlib.sha256(b"").digest()
        *larger, node = self._subtrees
        for subtree in reversed(larger):
            node = join(subtree, node)
        return node


def join(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def check_tree(pairs: Iterable[tuple[bytes, bytes]], tree: Tree, findings: Findings) -> None:
    """Checks that `tree` has only hashes of the log's tree (T1)."""
    for key, value in pairs:
        if len(key) != 9 or key[0] not in STORED_LEVELS:
            findings.add("T1", f"tree {show(key)}", "a level and an index as key", "another key")
            continue
        level, index = key[0], int.from_bytes(key[1:], "big")
        place, node = f"tree {level} {index}", value[:HASH_BYTES]
        check = hashlib.sha256(b"\x03" + key + node).digest()[:CHECK_BYTES]
        if len(value) != HASH_BYTES + CHECK_BYTES or value[HASH_BYTES:] != check:
            findings.add("T1", place, "a hash and its check", show(value))
        elif tree.stored.get((level, index)) != node:
            findings.add("T1", place, show(tree.stored.get((level, index))), show(node))
