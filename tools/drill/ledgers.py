"""The ledgers that the drill damages: small, and with all that a file can hold."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import random
import shutil
import uuid

from auditor.tree import Tree
from drill.pages import DataFile
from drill.store import Store
from drill.tool import Keeper, Tool

CONVERSATIONS = ("group:g1", "group:g2", "user:p1")
MESSAGES = tuple(f"m{number}" for number in range(6))
REACTIONS = ("👍", "❤", "😂", "🎉", "👨‍👩‍👧", ":party:", ":blob:123:", ":wave::skin-tone-3:")
USERS = tuple(f"u{number}" for number in range(40))
STAGES, LINES_OF_STAGE = 4, 100


@dataclasses.dataclass
class Ledger:
    """A ledger as it should be, and what is kept elsewhere of it."""

    name: str
    folder: pathlib.Path
    older: list[bytes]  # its data file at earlier times
    data: bytes = b""
    file: DataFile = dataclasses.field(init=False)
    size: int = 0
    root: bytes = b""
    messages: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    spilled: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    users: list[str] = dataclasses.field(default_factory=list)
    checkpoint: pathlib.Path | None = None

    def finish(self, tool: Tool, keeper: Keeper | None) -> None:
        """Takes the checkpoint, and notes what the readers are to be asked for."""
        if keeper is not None:
            self.checkpoint = self.folder.with_suffix(".checkpoint")
            keeper.checkpoint(tool, self.folder, self.checkpoint)
        self.data = (self.folder / "data.mdb").read_bytes()
        self.file = DataFile(self.data)
        events = [json.loads(line) for line in
                  tool.succeed(["events", str(self.folder), "--json"]).splitlines()]
        counts: dict[tuple[str, str, str], int] = {}
        for event in events:
            if "message" not in event:
                continue
            place = event["conversation"], event["message"], event["reaction"]
            if event["message"] not in self.messages.setdefault(event["conversation"], []):
                self.messages[event["conversation"]].append(event["message"])
            counts[place] = counts.get(place, 0) + (1 if event["kind"] == "added" else -1)
        self.spilled = [place for place, count in counts.items() if count > 2][:6]
        self.users = sorted({event["user"] for event in events if event.get("user")})[:4]
        with Store(self.folder) as store:
            self.size, self.root = root_of(store)


def root_of(store: Store, size: int | None = None) -> tuple[int, bytes]:
    """The size and the root of the tree of the first records, by default of all."""
    tree = Tree()
    for value in list(store.pairs("events").values())[:size]:
        tree.append(value[:-8])
    return tree.size, tree.root()


class Workload:
    """Commands as JSON lines, all of one chance."""

    def __init__(self, chance: random.Random, is_single: bool) -> None:
        self._chance = chance
        self._is_single = is_single
        self._live: list[dict[str, str]] = []
        self._milliseconds = 1_700_000_000_000

    def stage(self, number: int) -> list[dict[str, object]]:
        """The commands of a stage of the ledger's life."""
        lines: list[dict[str, object]] = []
        if number == 1:
            lines += self._popular("group:g1", "m0", 24, leaving=4)
            lines += self._popular("group:g1", "m1", 20, leaving=18)
            lines += self._popular("group:g2", "m0", 18, leaving=18)
            lines += self._popular("group:g2", "m0", 3, leaving=0)
        lines += [self._change() for _ in range(LINES_OF_STAGE)]
        if number == 2:
            lines += [{"op": "erase", "user": f"u{user}"} for user in (3, 7)]
            lines.append({"op": "erase", "user": "u11", "actor": "moderator",
                          "cause": "moderation", "commandId": self._id()})
        for reactions, distinct in (("any", 30), ("custom", 20)):
            if number in (1, 3):
                lines.append({"op": "setPolicy", "policy": {
                    "selection": "single" if self._is_single else "multiple",
                    "maxDistinct": distinct, "maxPerUser": None, "reactions": reactions}})
        return lines

    def _popular(
        self, conversation: str, message: str, count: int, leaving: int
    ) -> list[dict[str, object]]:
        """More reactors than a row holds, some of whom leave."""
        place = {"conversation": conversation, "message": message, "reaction": "🔥"}
        users = [f"fan{user}" for user in range(count)]
        return [{"op": op, **place, "user": user}
                for op, which in (("add", users), ("remove", users[:leaving])) for user in which]

    def _change(self) -> dict[str, object]:
        chance = self._chance
        if self._live and chance.random() < 0.3:
            return {"op": "remove", **self._live.pop(chance.randrange(len(self._live)))}
        place = {"conversation": chance.choice(CONVERSATIONS), "message": chance.choice(MESSAGES)}
        if chance.random() < 0.02:
            return {"op": "clear", **place, "actor": "moderator", "cause": "moderation"}
        # An erased user may come back as a new one.
        added = {**place, "user": chance.choice(USERS), "reaction": chance.choice(REACTIONS)}
        self._live.append(added)
        line: dict[str, object] = {"op": "add", **added}
        for key, value, likelihood in (
                ("commandId", self._id(), 0.4), ("actor", "bridge", 0.1), ("parent", "m0", 0.2),
                ("cause", "imported", 0.1), ("reactedAt", "2026-01-02T03:04:05.000006Z", 0.2)):
            if chance.random() < likelihood:
                line[key] = value
        return line

    def _id(self) -> str:
        """A UUID of version 7."""
        self._milliseconds += 1
        bits = self._milliseconds << 80 | 7 << 76 | 2 << 62 | self._chance.getrandbits(62)
        return str(uuid.UUID(int=bits))


def build(
    tool: Tool, keeper: Keeper | None, scratch: pathlib.Path, chance: random.Random
) -> list[Ledger]:
    """Makes all ledgers."""
    mixed = lived(tool, scratch / "mixed", chance, [])
    single = lived(tool, scratch / "single", chance, ["--selection", "single"])
    rebuilt = copied(mixed, "rebuilt")
    tool.succeed(["rebuild", str(rebuilt.folder)])
    indexed = copied(mixed, "indexed")
    tool.succeed(["rebuild", str(indexed.folder), "--by-user", "on"])
    compacted = copied(indexed, "compacted")
    tool.succeed(["rebuild", str(compacted.folder)])
    tool.succeed(["compact", str(compacted.folder)])
    generated = Ledger("generated", scratch / "generated", [])
    tool.succeed(["create", str(generated.folder)])
    tool.succeed(["generate", str(generated.folder), "--events", "150", "--seed", "7"])
    ledgers = [mixed, single, rebuilt, indexed, compacted, generated]
    for ledger in ledgers:
        ledger.finish(tool, keeper)
    return ledgers


def lived(
    tool: Tool, folder: pathlib.Path, chance: random.Random, options: list[str]
) -> Ledger:
    """A ledger that went through all stages; its data file is kept after each but the last."""
    ledger = Ledger(folder.name, folder, [])
    tool.succeed(["create", str(folder), "--max-distinct", "30", *options])
    workload = Workload(chance, bool(options))
    for number in range(STAGES):
        if number > 0:
            ledger.older.append((folder / "data.mdb").read_bytes())
        lines = "".join(json.dumps(line) + "\n" for line in workload.stage(number))
        tool.succeed(["apply", str(folder)], lines)
    return ledger


def copied(ledger: Ledger, name: str) -> Ledger:
    """A copy of a ledger that is not finished; of one that is rebuilt older copies make no sense."""
    folder = ledger.folder.with_name(name)
    shutil.copytree(ledger.folder, folder)
    return Ledger(name, folder, list(ledger.older))
