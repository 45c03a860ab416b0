"""Checkpoints of the log: signed notes with its size and root."""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from .signatures import decoded, is_signed

_CHECKPOINT = re.compile(r"(\S+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")
_SIGNATURE = re.compile(r"\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})")
_KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)")


class Checkpoint(NamedTuple):
    """The state of a log: the root of its first `size` leaves."""

    origin: str
    size: int
    root: bytes


def read_checkpoint(note: str, keys: Sequence[str]) -> Checkpoint:
    """Reads a checkpoint that one of the log's keys signed (C2SP tlog-checkpoint).

    keys: Texts of name, id and key, as `client.service_keys()` returns them in `verifier`.

    Raises `ValueError` for any other text.
    """
    end = note.rfind("\n\n") + 1
    text = note[:end]
    found = _CHECKPOINT.match(text)
    if found is None or not note.endswith("\n"):
        raise ValueError("The checkpoint must be a signed note of a log.")
    origin, size, root = found[1], int(found[2]), decoded(found[3])
    signed = [one for one in map(_SIGNATURE.fullmatch, note[end + 1 : -1].split("\n")) if one is not None]
    for key in map(_KEY.fullmatch, keys):
        if key is None or key[1] != origin:
            continue
        for name, signature in ((one[1], decoded(one[2])) for one in signed):
            is_own = name == origin and signature[:4].hex() == key[2]
            if is_own and is_signed(decoded(key[3])[1:], text.encode(), signature[4:]):
                return Checkpoint(origin, size, root)
    names = ", ".join(one[1] for one in signed) or "nobody"
    raise ValueError(f"The checkpoint of {origin} must be signed by {' or '.join(keys)} (it is signed by {names}).")
