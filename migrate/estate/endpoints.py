"""Where S3 is spoken to: AWS's own hosts told from others, and one spelling for each other place."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_AWS: Final = re.compile(
    r"(?:https?://)?[\w.-]*\.(?:amazonaws\.com(?:\.cn)?|amazonaws\.eu|api\.aws)(?::\d+)?/?", re.IGNORECASE
)
_PORTS: Final = {"http": ":80", "https": ":443"}


def is_aws(endpoint: str) -> bool:
    """Whether an endpoint is one of AWS's own: which of them is reached makes no other state."""
    return bool(_AWS.fullmatch(endpoint))


def spelled(endpoint: str) -> str:
    """`HTTPS://S3.Acme.example:443/` → `https://s3.acme.example`: two spellings of one place are one.

    An endpoint without a scheme is spoken to by https.
    """
    try:
        url = urlsplit(endpoint if "://" in endpoint else f"https://{endpoint}")
    except ValueError:  # no URL: equal to itself alone
        return endpoint
    host = url.netloc.lower().removesuffix(_PORTS.get(url.scheme, ":"))
    return f"{url.scheme}://{host}{url.path.rstrip('/')}"
