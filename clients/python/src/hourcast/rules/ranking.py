"""Arena points by place."""

from __future__ import annotations

ARENA_BONUSES = ((10, 200), (1, 500))
"""The last place that gets each bonus, and its points. A place gets every bonus that it reaches."""


def arena_points_for(place: int) -> int:
    """The arena points of a place, counted from 1."""
    return sum(points for up_to, points in ARENA_BONUSES if place <= up_to)
