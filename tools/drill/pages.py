"""Pages of an LMDB data file: which of them the newest commit uses (mdb.c of LMDB 0.9, 64-bit)."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator

HEADER_BYTES = 16
BRANCH, LEAF, OVERFLOW = 0x01, 0x02, 0x04
BIG_VALUE, SUB_TREE = 0x01, 0x02
FLAGS_AT, LOWER_AT = 10, 12
MAGIC_AT, TREES_AT, TREE_BYTES, TREE_COUNT = HEADER_BYTES, HEADER_BYTES + 24, 48, 2
TRANSACTION_AT = TREES_AT + TREE_COUNT * TREE_BYTES + 8
META_BYTES = TRANSACTION_AT + 8
ROOT_AT = 40
NO_PAGE = 2**64 - 1


@dataclasses.dataclass(frozen=True)
class UsedPage:
    """A page in use, or several in a row of one long value, and the database that uses it."""

    first: int
    count: int
    database: str


class DataFile:
    """The bytes of a data file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.page_bytes, = struct.unpack_from("<I", data, TREES_AT)

    def transaction(self, meta: int) -> int:
        """The commit that a meta page, 0 or 1, tells of."""
        value, = struct.unpack_from("<Q", self.data, meta * self.page_bytes + TRANSACTION_AT)
        return value

    def newest_meta(self) -> int:
        """The meta page of the last commit."""
        return int(self.transaction(1) > self.transaction(0))

    def used(self) -> list[UsedPage]:
        """All pages in use but the meta pages."""
        start = self.newest_meta() * self.page_bytes + TREES_AT
        return list(self._tree(start, "free pages")) + list(self._tree(start + TREE_BYTES, "names"))

    def _tree(self, record: int, database: str) -> Iterator[UsedPage]:
        root, = struct.unpack_from("<Q", self.data, record + ROOT_AT)
        if root != NO_PAGE:
            yield from self._page(root, database)

    def _page(self, page: int, database: str) -> Iterator[UsedPage]:
        yield UsedPage(page, 1, database)
        start = page * self.page_bytes
        flags, lower = struct.unpack_from("<HH", self.data, start + FLAGS_AT)
        for index in range((lower - HEADER_BYTES) // 2):
            offset, = struct.unpack_from("<H", self.data, start + HEADER_BYTES + 2 * index)
            node = start + offset
            low, high, node_flags, key_bytes = struct.unpack_from("<HHHH", self.data, node)
            if flags & BRANCH:
                yield from self._page(low | high << 16 | node_flags << 32, database)
                continue
            value = node + 8 + key_bytes
            if node_flags & BIG_VALUE:
                first, = struct.unpack_from("<Q", self.data, value)
                size = HEADER_BYTES + (low | high << 16)
                yield UsedPage(first, -(-size // self.page_bytes), database)
            elif node_flags & SUB_TREE:
                yield from self._tree(value, self.data[node + 8:value].decode())
