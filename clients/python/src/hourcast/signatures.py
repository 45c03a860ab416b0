"""Ed25519 as in RFC 8032, since Python's standard library lacks it. Nothing here is secret: only signatures are checked."""

from __future__ import annotations

import base64
import hashlib
from typing import Optional, Tuple

Point = Tuple[int, int, int, int]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)


def decoded(text: str) -> bytes:
    """The bytes of base64; none for another text."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def is_signed(public: bytes, content: bytes, signature: bytes) -> bool:
    """True if an Ed25519 key of 32 bytes signed the content."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, half = _point(public), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or half is None or scalar >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + content).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    return _same(_times(scalar, _BASE), _sum(half, _times(challenge, key)))


def _sum(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = _sum(total, point)
        point = _sum(point, point)
        scalar >>= 1
    return total


def _same(one: Point, other: Point) -> bool:
    return (one[0] * other[2] - other[0] * one[2]) % _P == 0 and (one[1] * other[2] - other[1] * one[2]) % _P == 0


def _point(encoded: bytes) -> Optional[Point]:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT % _P
    if (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little")) or (0, 1, 1, 0)
