"""Runs `reaction-ledger`."""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
from collections.abc import Sequence

SECONDS_LIMIT = 60


@dataclasses.dataclass(frozen=True)
class Run:
    """What a run gave; the status is minus the signal if one ended it."""

    status: int
    output: bytes
    errors: bytes


class Tool:
    """The tool at a path."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.can_sign = self._has("checkpoint", "--key")
        self.can_compare = self._has("replay", "--checkpoint")

    def _has(self, command: str, option: str) -> bool:
        run = self.run([command, "--help"])
        return run.status == 0 and option.encode() in run.output

    def run(self, arguments: Sequence[str], text: str = "") -> Run:
        """Runs it; standard input is `text`."""
        try:
            done = subprocess.run([self.path, *arguments], input=text.encode(),
                                  capture_output=True, timeout=SECONDS_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return Run(-9, b"", b"it did not end")
        return Run(done.returncode, done.stdout, done.stderr)

    def succeed(self, arguments: Sequence[str], text: str = "") -> bytes:
        """Runs it and gives what it printed; ends the drill if it fails."""
        run = self.run(arguments, text)
        if run.status != 0:
            raise SystemExit(f"damage-drill: {' '.join(arguments)}: {run.status} "
                             f"{run.errors.decode(errors='replace')}")
        return run.output


@dataclasses.dataclass(frozen=True)
class Keeper:
    """The key whose checkpoints are kept apart from the ledgers."""

    key: pathlib.Path
    verifier: str

    NAME = "example.com/damage-drill"

    @staticmethod
    def made(tool: Tool, folder: pathlib.Path) -> Keeper:
        """Makes the key."""
        key = folder / "key"
        printed = tool.succeed(["keygen", "--name", Keeper.NAME, "--out", str(key)])
        return Keeper(key, printed.decode().strip())

    def checkpoint(self, tool: Tool, ledger: pathlib.Path, file: pathlib.Path) -> None:
        """Writes a checkpoint of a ledger's head to a file."""
        file.write_bytes(tool.succeed(
            ["checkpoint", str(ledger), "--key", str(self.key), "--origin", Keeper.NAME]))
