"""What a disk may hold after a power cut, from the trace of what a process did to its files.

The model, which promises no more than POSIX and the kernel do:
- What was written to a file before its last flush began that returned without an error is there.
- Of what was written later any part may be there, down to single sectors; nothing else is.
- A write through an O_DSYNC descriptor is there once it returned.
- A flush that failed promises nothing, and what was written before it may be lost, whatever is
  flushed later: the kernel takes such pages for clean, until something is written to them again.
- A file may have the length of writes that are lost; the gap reads as zeros.
- Names (files made, renamed, removed) are there up to some moment, in order, and at least up to the
  last flush of a folder that holds one of them. A file's own flush promises nothing of its name.
"""

import dataclasses
import os
import struct

HEADER = struct.Struct("<BBHIQqQ")
PAGE = 4096
SECTOR = 512
MODES = ("none", "all", "writes", "pages", "sectors", "sectors", "prefix")


@dataclasses.dataclass
class Event:
    """One event of a trace; recorder.c says what each kind means."""

    kind: str
    flags: int
    file: int
    origin: int
    argument: int
    data: bytes


def read_trace(path):
    """The events of a trace; a last one that is cut off is left out."""
    with open(path, "rb") as file:
        content = file.read()
    events, place = [], 0
    while place + HEADER.size <= len(content):
        kind, flags, _, number, origin, argument, count = HEADER.unpack_from(content, place)
        place += HEADER.size
        if place + count > len(content):
            break
        events.append(
            Event(chr(kind), flags, number, origin, argument, content[place:place + count]))
        place += count
    return events


class Pending:
    """A change of a file that may be lost: bytes at a place, or a new length (no bytes)."""

    __slots__ = ("index", "place", "data", "is_sure", "is_orphan")

    def __init__(self, index, place, data):
        self.index, self.place, self.data = index, place, data
        self.is_sure = self.is_orphan = False


def put(content, place, data):
    """Writes into a byte array, which grows with zeros."""
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place:place + len(data)] = data


def apply(content, change):
    """Makes a change that survives as a whole."""
    if change.data is not None:
        put(content, change.place, change.data)
    elif len(content) > change.place:
        del content[change.place:]
    else:
        content.extend(bytes(change.place - len(content)))


class File:
    """What is surely on the disk of a file, and what may be."""

    def __init__(self):
        self.base = bytearray()
        self.pending = []

    def wrote(self, change):
        """Something was written: pages of it that were taken for clean are so no more."""
        end = change.place + len(change.data)
        for other in self.pending:
            if other.is_orphan and other.place < (end + PAGE - 1) // PAGE * PAGE:
                if other.place + len(other.data) > change.place // PAGE * PAGE:
                    other.is_orphan = False
        self.pending.append(change)

    def returned(self, origin):
        """A write through an O_DSYNC descriptor returned."""
        for change in self.pending:
            if change.index == origin:
                change.is_sure = True
        self.settle()

    def flushed(self, origin):
        """A flush returned without an error that began with event `origin`."""
        for change in self.pending:
            if change.index < origin and not change.is_orphan:
                change.is_sure = True
        self.settle()

    def failed(self, origin):
        """A flush returned with an error: from now on every page has a fate of its own."""
        parts = []
        for change in self.pending:
            if change.index >= origin or change.is_sure or change.data is None:
                parts.append(change)
                continue
            place, end = change.place, change.place + len(change.data)
            while place < end:
                stop = min(end, (place // PAGE + 1) * PAGE)
                part = Pending(
                    change.index, place, change.data[place - change.place:stop - change.place])
                part.is_orphan = True
                parts.append(part)
                place = stop
        self.pending = parts

    def settle(self):
        """Takes over what is sure, as far as nothing that may be lost comes before it."""
        done = 0
        for change in self.pending:
            if not change.is_sure:
                break
            apply(self.base, change)
            done += 1
        del self.pending[:done]

    def image(self, mode, rng):
        """What may be on the disk."""
        content = bytearray(self.base)
        chance = rng.choice((0.1, 0.5, 0.9))
        unsure = [change for change in self.pending if not change.is_sure]
        last = rng.randrange(len(unsure) + 1)
        seen = 0
        for change in self.pending:
            if change.is_sure:
                apply(content, change)
                continue
            seen += 1
            if mode == "all" or (mode == "prefix" and seen <= last):
                apply(content, change)
            elif mode == "writes" or change.data is None:
                if mode != "none" and rng.random() < chance:
                    apply(content, change)
            elif mode in ("pages", "sectors") or (mode == "prefix" and seen == last + 1):
                tear(content, change, PAGE if mode == "pages" else SECTOR, chance, rng)
        if rng.random() < 0.25:
            end = max((change.place + len(change.data or b"") for change in unsure), default=0)
            if len(content) < end:
                content.extend(bytes(end - len(content)))
        return content


def tear(content, change, size, chance, rng):
    """Lets each piece of a write survive or not."""
    place, end = change.place, change.place + len(change.data)
    while place < end:
        stop = min(end, (place // size + 1) * size)
        if rng.random() < chance:
            put(content, place, change.data[place - change.place:stop - change.place])
        place = stop


class Disk:
    """Takes events one after another; gives images of what may be there after a power cut."""

    def __init__(self, root):
        self.root = root
        self.files = {}
        self.names = {}
        self.name_changes = []
        self.count = 0

    def take(self, event):
        """The next event happened."""
        index = self.count
        self.count += 1
        kind = event.kind
        if kind == "W":
            self.file(event.file).wrote(Pending(index, event.argument, event.data))
        elif kind == "w":
            self.file(event.file).returned(event.origin)
        elif kind == "T":
            self.file(event.file).pending.append(Pending(index, event.argument, None))
        elif kind == "f":
            file = self.file(event.file)
            (file.flushed if event.argument == 0 else file.failed)(event.origin)
        elif kind == "s":
            if event.argument == 0:
                self.names_flushed(os.fsdecode(event.data), event.origin)
        elif kind in "CKUR":
            paths = [os.fsdecode(path) for path in event.data.split(b"\0")]
            self.name_changes.append((index, kind, paths, event.file))

    def file(self, number):
        """The file of a number."""
        return self.files.setdefault(number, File())

    def names_flushed(self, folder, origin):
        """A folder was flushed: its names are there, and the changes of names before them."""
        last = -1
        for place, (index, _, paths, _) in enumerate(self.name_changes):
            if index < origin and folder in map(os.path.dirname, paths):
                last = place
        for change in self.name_changes[:last + 1]:
            rename(self.names, change)
        del self.name_changes[:last + 1]

    def write_image(self, place, mode, rng, lock_file):
        """Writes what may be there to a folder `place`."""
        names = dict(self.names)
        for change in self.name_changes[:rng.randrange(len(self.name_changes) + 1)]:
            rename(names, change)
        os.mkdir(place)
        for path in sorted(names):
            target = place + path[len(self.root):]
            if names[path] is None:
                os.mkdir(target)
            elif os.path.isdir(os.path.dirname(target)):
                content = self.file(names[path]).image(mode, rng)
                # It is written through a map and never flushed: anything, or nothing, is there.
                if os.path.basename(path) == "lock.mdb":
                    kind = rng.randrange(3)
                    if kind == 0:
                        continue
                    content = lock_file if kind == 1 else content
                with open(target, "wb") as file:
                    file.write(content)


def rename(names, change):
    """Makes a change of names."""
    _, kind, paths, file = change
    if kind in "CK":
        names[paths[0]] = file if kind == "C" else None
    elif kind == "U":
        names.pop(paths[0], None)
    else:
        old, new = paths
        for path in [path for path in names if path == old or path.startswith(old + "/")]:
            names[new + path[len(old):]] = names.pop(path)
