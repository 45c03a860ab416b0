"""Verifies that a webhook's message comes from the service."""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Sequence

from .signatures import decoded, is_signed

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
        public = decoded(str(key["public_key"]).replace("whpk_", "", 1))
        if any(is_signed(public, content, decoded(one)) for one in sent):
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
