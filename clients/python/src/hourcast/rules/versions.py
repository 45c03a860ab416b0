"""The versions of the rules. A round is scored by the version that was the newest when it was stored."""

from __future__ import annotations

from typing import NamedTuple

RULES_VERSIONS = (1, 2)
RULES_VERSION = 2

RULES_DIGESTS = {
    1: "52d7f81cd8f0dc932c77c1783d77e4ab70c1b8cfe4b15414f3c388de98852bdc",
    2: "6fc63c98d643e013950b081aae3dabdac10dd54ff1f4435fec1a7635d06d8f2d",
}
"""The digest of each version's golden vectors."""


class VersionedRules(NamedTuple):
    """The differences between versions."""

    bounded_after_scaling: bool
    """True: the price's probabilities are clamped after they are scaled to add up to 1; False: before."""
    bounded_edge: bool
    """True: a prediction is clamped to the same bounds for its edge, unless the question is settled."""
    edge_without_price: bool
    """True: a prediction made without a known price has an edge over even odds."""


RULES = {
    1: VersionedRules(bounded_after_scaling=False, bounded_edge=False, edge_without_price=True),
    2: VersionedRules(bounded_after_scaling=True, bounded_edge=True, edge_without_price=False),
}
