"""Single changes of a ledger's pages and pairs. Each says what it did, or None if it could not."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import random
import struct
from collections.abc import Callable

from auditor.projections import MetaState
from drill.ledgers import Ledger
from drill.pages import MAGIC_AT, META_BYTES, TRANSACTION_AT
from drill.store import Store


@dataclasses.dataclass(frozen=True)
class Target:
    """A copy of a ledger, to be changed."""

    ledger: Ledger
    folder: pathlib.Path

    def write(self, data: bytes) -> None:
        """Writes the whole data file."""
        (self.folder / "data.mdb").write_bytes(data)


Change = Callable[[Target, random.Random], str | None]


def flipped(data: bytes, bit: int) -> bytes:
    """The same bytes but for one bit."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- Pages ------------------------------------------------------------------------------------


def page_bit(target: Target, chance: random.Random) -> str:
    """A bit in a page that the newest commit uses."""
    file = target.ledger.file
    page = chance.choice(file.used())
    place = page.first * file.page_bytes * 8
    bit = place + chance.randrange(page.count * file.page_bytes * 8)
    target.write(flipped(file.data, bit))
    return f"bit {bit % 8} of byte {bit // 8} in page {page.first} of {page.database}"


def page_head_bit(target: Target, chance: random.Random) -> str:
    """A bit in the header of a used page, or in the places of its first pairs."""
    file = target.ledger.file
    page = chance.choice(file.used())
    bit = page.first * file.page_bytes * 8 + chance.randrange(32 * 8)
    target.write(flipped(file.data, bit))
    return f"bit {bit % 8} of byte {bit // 8} in page {page.first} of {page.database}"


def meta_bit(target: Target, chance: random.Random) -> str:
    """A bit in one of the two meta pages."""
    file = target.ledger.file
    meta = chance.randrange(2)
    bit = meta * file.page_bytes * 8 + chance.randrange(META_BYTES * 8)
    target.write(flipped(file.data, bit))
    return f"bit {bit % 8} of byte {bit // 8} in meta page {meta} (newest: {file.newest_meta()})"


def meta_rolled_back(target: Target, chance: random.Random) -> str:
    """The newest meta page made useless or older, so that the commit before it is the newest."""
    file = target.ledger.file
    start, way = file.newest_meta() * file.page_bytes, chance.randrange(4)
    other = (1 - file.newest_meta()) * file.page_bytes
    data = bytearray(file.data)
    if way == 0:
        data[start:start + file.page_bytes] = bytes(file.page_bytes)
    elif way == 1:
        struct.pack_into("<I", data, start + MAGIC_AT, chance.getrandbits(32))
    elif way == 2:
        struct.pack_into("<Q", data, start + TRANSACTION_AT, 0)
    else:
        body = slice(start + MAGIC_AT, start + META_BYTES)
        data[body] = data[other + MAGIC_AT:other + META_BYTES]
    target.write(bytes(data))
    how = ("zeros", "another magic number", "transaction 0", "the content of the older one")[way]
    return f"{how} in meta page {file.newest_meta()}"


def older_copy(target: Target, chance: random.Random) -> str | None:
    """An older copy of the whole data file."""
    older = target.ledger.older
    if not older:
        return None
    index = chance.randrange(len(older))
    target.write(older[index])
    return f"copy {index + 1} of {len(older)}"


# --- Pairs ------------------------------------------------------------------------------------


def pair_changed(name: str, target: Target, chance: random.Random) -> str | None:
    """The value of a pair: a bit, its length, or the value of another pair."""
    with Store(target.folder) as store:
        pairs = store.pairs(name)
        if not pairs:
            return None
        key, way = chance.choice(list(pairs)), chance.randrange(4)
        value, other = pairs[key], pairs[chance.choice(list(pairs))]
        if way < 2 and value:
            new = flipped(value, chance.randrange(len(value) * 8))
        elif way == 2:
            new = value[:-1] if chance.random() < 0.5 else value + b"\0"
        else:
            new = other
        if new == value:
            return None
        store.put(name, key, new)
    return f"{name} {key.hex()}: {value.hex()} became {new.hex()}"


def pair_removed(name: str, target: Target, chance: random.Random) -> str | None:
    """A pair taken away."""
    with Store(target.folder) as store:
        pairs = store.pairs(name)
        if not pairs:
            return None
        key = chance.choice(list(pairs))
        store.delete(name, key)
    return f"{name} {key.hex()}"


def pair_added(name: str, target: Target, chance: random.Random) -> str | None:
    """A pair added, like one that is there but for a bit of its key, or its length."""
    with Store(target.folder) as store:
        pairs = store.pairs(name)
        if not pairs:
            return None
        key = chance.choice(list(pairs))
        new = flipped(key, chance.randrange(len(key) * 8))
        if chance.random() < 0.2:
            new = key + b"\0"
        if new in pairs:
            return None
        store.put(name, new, pairs[key])
    return f"{name} {new.hex()}: {pairs[key].hex()}"


def tree_entry(target: Target, chance: random.Random) -> str | None:
    """A stored hash of the tree of the log: changed, taken away, or one that is none added."""
    way = chance.randrange(3)
    if way < 2:
        return (pair_changed, pair_removed)[way]("tree", target, chance)
    key, value = bytes((8,)) + chance.randrange(4).to_bytes(6, "big"), chance.randbytes(32)
    with Store(target.folder) as store:
        if key in store.pairs("tree"):
            return None
        store.put("tree", key, value)
    return f"tree {key.hex()}: {value.hex()}"


def idle_slot(target: Target, chance: random.Random) -> str | None:
    """A pair added to a projection of the slot that is not live."""
    with Store(target.folder) as store:
        name = chance.choice(("messages", "commands", "reactors", "members"))
        pairs = store.pairs(name)
        if not pairs:
            return None
        key = chance.choice(list(pairs))
        idle = "BA"["AB".index(store.meta.slot)]
        store.put(f"{name}.{idle}", key, pairs[key])
    return f"{name}.{idle} {key.hex()}"


# --- Meta -------------------------------------------------------------------------------------


def policy(target: Target, chance: random.Random) -> str | None:
    """Another policy in force, of valid bytes."""
    new = bytes((chance.randrange(2), chance.randrange(1, 101), chance.randrange(101),
                 chance.choice((0, 1, 3))))
    with Store(target.folder) as store:
        if store.pairs("meta")[b"policy"] == new:
            return None
        store.put("meta", b"policy", new)
    return new.hex()


def slot(target: Target, chance: random.Random) -> str:
    """The other slot is live, as it is or with a copy of the live one that lacks a pair."""
    with Store(target.folder) as store:
        other = "BA"["AB".index(store.meta.slot)]
        copies = chance.random() < 0.5
        if copies:
            for name in ("messages", "reactors", "members", "commands", "byUser"):
                pairs = store.pairs(name)
                if name == "messages":
                    del pairs[chance.choice(list(pairs))]
                store.replace(f"{name}.{other}", pairs)
        store.put_state(dataclasses.replace(store.meta, slot=other))
    return f"slot {other}{', a copy without a row' if copies else ''}"


def state_number(target: Target, chance: random.Random) -> str:
    """A number in `state`: erase epoch, notices, users being erased, whether byUser is kept."""
    field = chance.choice(("erase_epoch", "notices", "being_erased", "keeps_by_user"))
    with Store(target.folder) as store:
        value = getattr(store.meta, field)
        new = not value if field == "keeps_by_user" else value ^ 1 << chance.randrange(4)
        store.put_state(dataclasses.replace(store.meta, **{field: new}))
    return f"{field}: {value} became {new}"


def meta_key(target: Target, chance: random.Random) -> str | None:
    """`format`, `ledger`, `tables` or `state` changed by a bit or taken away."""
    with Store(target.folder) as store:
        key = chance.choice((b"format", b"ledger", b"tables", b"state"))
        value = store.pairs("meta")[key]
        if chance.random() < 0.3:
            store.delete("meta", key)
            return f"{key.decode()} taken away"
        new = flipped(value, chance.randrange(len(value) * 8))
        if key == b"state" and looks_the_same(value, new):
            return None
        store.put("meta", key, new)
    return f"{key.decode()}: {value.hex()} became {new.hex()}"


def looks_the_same(before: bytes, after: bytes) -> bool:
    """Whether a state differs in the rebuild's token alone, which is nobody's business."""
    return MetaState.decoded(before) == MetaState.decoded(after) if before[0] == after[0] and (
        before[1] == after[1]) else False


def pair_kinds() -> dict[str, Change]:
    """The changes of pairs, by kind."""
    kinds: dict[str, Change] = {}
    for name in ("messages", "members", "reactors", "commands", "users", "userNumbers", "byUser"):
        for word, change in (("changed", pair_changed), ("removed", pair_removed),
                             ("added", pair_added)):
            kinds[f"{name}: {word}"] = functools.partial(change, name)
    return kinds


KINDS: dict[str, Change] = {
    "pages: a bit": page_bit,
    "pages: a bit of a header": page_head_bit,
    "meta pages: a bit": meta_bit,
    "meta pages: newest undone": meta_rolled_back,
    **pair_kinds(),
    "tree: an entry": tree_entry,
    "idle slot: added": idle_slot,
    "meta: policy": policy,
    "meta: slot": slot,
    "meta: numbers": state_number,
    "meta: other keys": meta_key,
    "file: an older copy": older_copy,
}
