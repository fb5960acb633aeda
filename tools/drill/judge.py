"""What is said of a changed ledger, and whether anybody could see the change."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import pathlib
from collections.abc import Iterator

from drill.ledgers import Ledger, root_of
from drill.store import Store
from drill.tool import Keeper, Run, Tool

# What an answer is by its exit status.
AGREES, HAS_FINDINGS, CANNOT_OPEN = 0, 1, 3
# Of `stat`, what is the ledger's and not the file's.
LASTING = ("head", "events", "messages", "liveReactions", "users", "policy", "format",
           "indexedByUser")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What became of a change: told by replay alone, with the checkpoint; seen by a reader."""

    told: bool
    told_with_checkpoint: bool
    difference: str | None  # the first reader that answers otherwise; not asked for if told
    rules: tuple[str, ...] = ()
    broken: str | None = None  # replay did not answer as it should

    @property
    def is_missed(self) -> bool:
        """A reader sees the change, and nothing tells of it."""
        return self.difference is not None and not self.told_with_checkpoint


class Judge:
    """Knows what every reader of every ledger answers if nothing is changed."""

    def __init__(self, tool: Tool, keeper: Keeper | None, ledgers: list[Ledger]) -> None:
        self._tool = tool
        self._keeper = keeper
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = pool.map(lambda ledger: list(self._ask(ledger, ledger.folder)), ledgers)
            self._answers = {ledger.name: own for ledger, own in zip(ledgers, answers)}
        for ledger in ledgers:
            verdict = self.verdict(ledger, ledger.folder)
            if verdict != Verdict(False, False, None):
                raise SystemExit(f"damage-drill: {ledger.name} is not sound: {verdict}")

    def verdict(self, ledger: Ledger, folder: pathlib.Path) -> Verdict:
        """What becomes of a changed copy of a ledger."""
        alone = self._tool.run(["replay", str(folder), "--json"])
        rules, broken = reading(alone)
        if broken is not None or alone.status != AGREES:
            return Verdict(True, True, None, rules, broken)
        told, broken = self._told_by_checkpoint(ledger, folder)
        difference = self._difference(ledger, folder)
        return Verdict(False, told, difference, (), broken)

    def _told_by_checkpoint(
        self, ledger: Ledger, folder: pathlib.Path
    ) -> tuple[bool, str | None]:
        """Whether the checkpoint that was kept shows the change.

        A tool that cannot compare is helped: the root of as many records is compared here.
        """
        if self._keeper is None or not self._tool.can_compare:
            with Store(folder) as store:
                return root_of(store, ledger.size) != (ledger.size, ledger.root), None
        run = self._tool.run(["replay", str(folder), "--json", "--checkpoint",
                              str(ledger.checkpoint), "--vkey", self._keeper.verifier])
        return run.status != AGREES, reading(run)[1]

    def _difference(self, ledger: Ledger, folder: pathlib.Path) -> str | None:
        for expected, found in zip(self._answers[ledger.name], self._ask(ledger, folder)):
            if expected != found:
                return f"{' '.join(found[0])}: {expected[1:]!r:.300} became {found[1:]!r:.300}"
        return None

    def _ask(
        self, ledger: Ledger, folder: pathlib.Path
    ) -> Iterator[tuple[tuple[str, ...], int, bytes]]:
        """Every reader's question and answer: exit status and output."""
        for command, *options in self._questions(ledger):
            run = self._tool.run([command, str(folder), *options, "--json"]
                                 if command != "export" else [command, str(folder), *options])
            output = lasting(run.output) if command == "stat" else run.output
            yield (command, *options), run.status, output

    def _questions(self, ledger: Ledger) -> Iterator[tuple[str, ...]]:
        yield "export",
        yield "stat", "--full"
        yield "events",
        yield "policy",
        yield "replay",
        for conversation, messages in ledger.messages.items():
            names = [word for message in messages for word in ("--message", message)]
            for extra in ([], ["--viewer", ledger.users[0]], ["--as-of", str(ledger.size // 2)]):
                yield "show", "--conversation", conversation, *names, *extra
        for user in ledger.users:
            yield "history", "--user", user
        for conversation, message, reaction in ledger.spilled:
            yield ("reactors", "--conversation", conversation, "--message", message, "--reaction",
                   reaction)
            yield ("reactors", "--conversation", conversation, "--message", message, "--reaction",
                   reaction, "--limit", "2")
        for conversation, messages in ledger.messages.items():
            for message in messages:
                yield "history", "--conversation", conversation, "--message", message


def lasting(output: bytes) -> bytes:
    """What `stat` says of the ledger's content."""
    try:
        figures = json.loads(output)
    except ValueError:
        return output
    return repr([figures.get(key) for key in LASTING]).encode()


def reading(run: Run) -> tuple[tuple[str, ...], str | None]:
    """The rules of the findings; and what is wrong with the answer itself, if anything is."""
    if run.status == CANNOT_OPEN:
        return ("not opened",), None if run.errors else "says nothing"
    if run.status not in (AGREES, HAS_FINDINGS):
        return (), f"status {run.status}: {run.errors.decode(errors='replace')[-300:]}"
    try:
        answer = json.loads(run.output)
    except ValueError:
        return (), f"no document: {run.output[:300]!r}"
    rules = tuple(sorted({finding["rule"] for finding in answer["findings"]}))
    if answer["ok"] != (run.status == AGREES) or bool(rules) == answer["ok"]:
        return rules, f"status {run.status} with {run.output[:300]!r}"
    return rules, None
