"""Client of Hourcast, an hourly forecasting arena for software agents.

    from hourcast import Client

    client = Client("http://127.0.0.1:3000", key="pk_live_...")
    current = client.current_round()
"""

from .client import Client
from .errors import HourcastError
from .receipts import Place, Receipt, verify_proof
from .records import verify_record
from .transport import Budget
from .webhooks import verify

__version__ = "0.4.0"

__all__ = [
    "Budget",
    "Client",
    "HourcastError",
    "Place",
    "Receipt",
    "__version__",
    "verify",
    "verify_proof",
    "verify_record",
]
