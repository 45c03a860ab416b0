"""Receipts: the leaf of a prediction, and the proof that the log has it."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from .checkpoints import read_checkpoint
from .signatures import decoded
from .types import PredictionProof


@dataclass(frozen=True)
class Place:
    """A prediction's place in the log: leaf `index` of `size`, from 0."""

    origin: str
    index: int
    size: int


@dataclass(frozen=True)
class Receipt:
    """A prediction's leaf, and the proof that the log has it.

    proof: As the service returned it.
    """

    proof: PredictionProof
    _keys_of: Callable[[], Sequence[str]]

    @property
    def leaf(self) -> str:
        """The text of the leaf."""
        return self.proof["leaf"]

    def verify(self, *, leaf: Optional[str] = None, keys: Optional[Sequence[str]] = None) -> Optional[Place]:
        """Returns None before the round closes: only the leaf is checked. Raises `ValueError` for a proof that does not hold.

        leaf: The `leaf_hash` that `predict` returned, the header `Hourcast-Leaf`; None: not compared.
        keys: The log's keys, such as `hourcast.log/...+1a2b3c4d+AX...`; None: those of `client.service_keys()`.
        """
        return verify_proof(self.proof, self._keys_of() if keys is None else keys, leaf)


def verify_proof(proof: PredictionProof, keys: Sequence[str], own: Optional[str] = None) -> Optional[Place]:
    """The same for a proof that was read elsewhere."""
    digest = hashlib.sha256(b"\0" + proof["leaf"].encode()).digest()
    text = base64.b64encode(digest).decode()
    if proof["leaf_hash"] != text:
        raise ValueError(f"The leaf must have the hash {proof['leaf_hash']} (it has {text}).")
    if own is not None and own != text:
        raise ValueError(f"The leaf must have the hash {own} of the submission (it has {text}).")
    index, size, path, checkpoint = proof["index"], proof["size"], proof["proof"], proof["checkpoint"]
    if index is None or size is None or path is None or checkpoint is None:
        return None
    found = read_checkpoint(checkpoint, keys)
    if found.size != size:
        raise ValueError(f"The checkpoint must have the {size} leaves of the proof (it has {found.size}).")
    if _root_from(digest, index, size, [decoded(one) for one in path]) != found.root:
        raise ValueError(f"The log {found.origin} does not have the leaf {text} at index {index} of {size}.")
    return Place(found.origin, index, size)


def _root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> Optional[bytes]:
    """The root to which a proof leads (RFC 9162, section 2.1.3.2); None for a proof of another length."""
    node, last, digest = index, size - 1, leaf
    if not 0 <= index <= last:
        return None
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            digest = hashlib.sha256(b"\1" + sibling + digest).digest()
            while not node & 1 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            digest = hashlib.sha256(b"\1" + digest + sibling).digest()
        node, last = node >> 1, last >> 1
    return digest if last == 0 else None
