"""Verifies that a webhook's message comes from the service.

Ed25519 as in RFC 8032, since Python's standard library lacks it. Nothing here is secret: only signatures are checked.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

Point = Tuple[int, int, int, int]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
#: The maximum age of a message, and its maximum lead over this machine's clock.
TOLERANCE_SECONDS = 300
#: The time for which a replaced key still signs together with its successor.
_OVERLAP_SECONDS = 24 * 3600


def verify(
    body: "str | bytes", headers: Mapping[str, str], keys: Sequence[Mapping[str, Any]], *, webhook_id: int
) -> Dict[str, Any]:
    """Returns the message if its body, exactly as received, is signed by one of the keys of `client.service_keys()["keys"]`.

    `webhook_id` is your webhook's id, from `POST /api/me/webhooks`. Raises `ValueError` for an invalid signature, for another
    webhook's message, which its owner may have forwarded, and after 5 minutes. A message may come twice, with the same
    header `webhook-id`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identity, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("The webhook must be signed within the last 5 minutes.")
    text = body.encode() if isinstance(body, str) else body
    content = f"{identity}.{timestamp}.".encode() + text
    sent = [one[4:] for one in signatures.split(" ") if one.startswith("v1a,")]
    for key in keys:
        if _is_retired(key.get("retired_at")):
            continue
        public = _decoded(str(key["public_key"]).replace("whpk_", "", 1))
        if any(_is_signed(public, content, _decoded(one)) for one in sent):
            message: Dict[str, Any] = json.loads(text)
            # The service signs all messages with one key, so another webhook's message has a valid signature too.
            found = message["data"].get("webhook_id")
            if found != webhook_id:
                raise ValueError(f"The message must be for webhook {webhook_id} (it is for {found}).")
            return message
    raise ValueError("The webhook must be signed by the service.")


def _is_retired(at: Optional[str]) -> bool:
    if at is None:
        return False
    return datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() < time.time() - _OVERLAP_SECONDS


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def _is_signed(public: bytes, content: bytes, signature: bytes) -> bool:
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
