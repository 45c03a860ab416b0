"""Arena points by place."""

from __future__ import annotations

ARENA_BONUSES = ((10, 200), (1, 500))
"""A place gets every bonus that it reaches: up to which place, and the points."""


def arena_points_for(place: int) -> int:
    """The arena points of a place, counted from 1."""
    return sum(points for up_to, points in ARENA_BONUSES if place <= up_to)
