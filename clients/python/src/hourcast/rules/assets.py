"""The eight assets of the arena, in the order in which they are listed everywhere."""

from __future__ import annotations

ASSETS = ("BTC", "ETH", "SOL", "AVAX", "DOGE", "ADA", "LINK", "DOT")
