"""The Merkle tree of the log (RFC 6962, section 2.1)."""

from __future__ import annotations

import hashlib


class Tree:
    """A tree that grows by a leaf at a time and knows only the roots of its full subtrees."""

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []  # largest first, one for each bit of the size

    def append(self, leaf: bytes) -> None:
        """Adds a leaf: the bytes of a record before its seal."""
        node = hashlib.sha256(b"\x00" + leaf).digest()
        size = self.size
        while size & 1:
            node = join(self._subtrees.pop(), node)
            size >>= 1
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
