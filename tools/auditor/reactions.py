"""Canonical reactions (F27 to F29), with the properties taken from Unicode's own data files."""

from __future__ import annotations

import pathlib
import re

UNICODE_VERSION = "15.0"
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
KEYCAP_BASES = frozenset(map(ord, "0123456789#*"))
SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))  # for str.translate: both are taken away
FORBIDDEN_IN_TEXT = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
MOST_SCALARS = 128
MOST_BYTES = 512


class TablesMissing(Exception):
    """Unicode's data files are not there, or of another version."""


class Forms:
    """What is valid and canonical, by data files in a folder as of Debian's unicode-data."""

    def __init__(self, folder: pathlib.Path) -> None:
        emoji = read_properties(folder / "emoji/emoji-data.txt", f"Emoji Version {UNICODE_VERSION}")
        core = read_properties(folder / "DerivedCoreProperties.txt", f"-{UNICODE_VERSION}.0.txt")
        listed = read_properties(folder / "PropList.txt", f"-{UNICODE_VERSION}.0.txt")
        self._bases = ((emoji["Emoji"] | emoji["Extended_Pictographic"])
                       - KEYCAP_BASES - set(SKIN_TONES) - set(FLAG_LETTERS))
        self._selected = (self._bases & emoji["Emoji"]) - emoji["Emoji_Presentation"]
        self._unseen = (listed["White_Space"] | core["Default_Ignorable_Code_Point"]
                        | set(SKIN_TONES))
        self._emoji = emoji_pattern(self._bases)

    def canonical(self, reaction: str) -> str | None:
        """The canonical form; none if the reaction is not valid."""
        bare = reaction.translate(SELECTORS)
        form = self._with_selectors(bare) if self._emoji.fullmatch(bare) else self._text(reaction)
        if form is None or len(form) > MOST_SCALARS or len(form.encode()) > MOST_BYTES:
            return None
        return form

    def _with_selectors(self, bare: str) -> str:
        form = []
        for scalar, following in zip(bare, bare[1:] + "\0"):
            form.append(scalar)
            if ord(scalar) in KEYCAP_BASES or (
                    ord(scalar) in self._selected and ord(following) not in SKIN_TONES):
                form.append("\uFE0F")
        return "".join(form)

    def _text(self, reaction: str) -> str | None:
        """Texts. Custom reactions too: all are valid texts, and stay as they are as well."""
        scalars = set(map(ord, reaction))
        if scalars.intersection(FORBIDDEN_IN_TEXT) or scalars <= self._unseen:
            return None
        return reaction


def emoji_pattern(bases: set[int]) -> re.Pattern[str]:
    """The grammar of F28."""
    base = "[" + "".join(map(re.escape, map(chr, sorted(bases)))) + "]"
    flag = "[\U0001F1E6-\U0001F1FF]"
    modifier = "(?:[\U0001F3FB-\U0001F3FF]|\u20E3|[\U000E0020-\U000E007E]+\U000E007F)"
    element = f"(?:{flag}{flag}|{base}{modifier}?|[0-9#*]\u20E3)"
    return re.compile(f"{flag}|{element}(?:\u200D{element})*")


def read_properties(path: pathlib.Path, mark: str) -> dict[str, set[int]]:
    """The scalars of each property in a file of Unicode's, whose head must have the mark."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TablesMissing(f"{path}: {error.strerror}") from None
    if mark not in text[:2000]:
        raise TablesMissing(f"{path} is not of Unicode {UNICODE_VERSION}")
    properties: dict[str, set[int]] = {}
    for line in text.splitlines():
        fields = line.split("#")[0].split(";")
        if len(fields) == 2:
            first, _, last = fields[0].strip().partition("..")
            scalars = range(int(first, 16), int(last or first, 16) + 1)
            properties.setdefault(fields[1].strip(), set()).update(scalars)
    return properties
