"""What an audit finds."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Finding:
    """A rule of the article that the bytes break, and where; `sequence` is that of a record."""

    rule: str
    place: str
    expected: str
    found: str
    sequence: int | None

    def __str__(self) -> str:
        return (f"rule {self.rule} broken at {self.place}: expected {self.expected}, "
                f"found {self.found}")


class Findings:
    """Counts all findings, and keeps the first ones."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = 0
        self.first: list[Finding] = []

    def add(self, rule: str, place: str, expected: str, found: str) -> None:
        """Adds one about a place that is no record."""
        self._add(Finding(rule, place, expected, found, None))

    def add_at(self, sequence: int, rule: str, expected: str, found: str) -> None:
        """Adds one about a record."""
        self._add(Finding(rule, f"events {sequence}", expected, found, sequence))

    def _add(self, finding: Finding) -> None:
        self.count += 1
        if len(self.first) < self._limit:
            self.first.append(finding)


def show(data: bytes | None) -> str:
    """Bytes of a database in a finding."""
    if data is None:
        return "nothing"
    if not data:
        return "no bytes"
    return data.hex() if len(data) <= 64 else f"{data[:64].hex()}… ({len(data)} bytes)"
