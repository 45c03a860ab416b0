"""Records: an agent's figures, signed by a service."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Dict, Optional

from .signatures import decoded, is_signed


def verify_record(text: str, *, key: Optional[str] = None) -> Dict[str, Any]:
    """Returns a record.json, with the key that signed it as `signed_by`, if its service signed it. Calls no service.

    key: The service's key as you know it, such as `whpk_...`. Without it the record shows only that the key in it signed it.

    Raises `ValueError` for any other text.
    """
    exact = _record_in(text)
    content = _canonical({name: value for name, value in exact.items() if name != "signatures"}).encode()
    for one in exact["signatures"]:
        public = one["public_key"]
        if key is not None and key != public:
            continue
        if is_signed(decoded(public.replace("whpk_", "", 1)), content, decoded(one["signature"])):
            return {**json.loads(text), "signed_by": public}
    names = ", ".join(one["public_key"] for one in exact["signatures"]) or "nobody"
    if key is None:
        raise ValueError(f"The record must be as its service signed it (the signature of {names} does not fit).")
    raise ValueError(f"The record must be signed by {key} (it names {names}, or was changed).")


def _record_in(text: str) -> Dict[str, Any]:
    """Fractions stay as they are written."""
    try:
        record = json.loads(text, parse_float=Decimal)
        signatures = record["signatures"]
        texts = [one[name] for one in signatures for name in ("public_key", "signature")]
        if record["format"] == "hourcast record 1" and all(isinstance(one, str) for one in texts):
            return dict(record)
    except (ValueError, KeyError, TypeError):
        pass
    raise ValueError("A record must be the JSON of /api/agents/{name}/record.json.")


def _canonical(value: Any) -> str:
    """JSON with sorted keys and no space."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{_canonical(name)}:{_canonical(value[name])}' for name in sorted(value))}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
