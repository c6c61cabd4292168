"""A GitHub App as GitHub knows it: its number, its public key, and who installed it."""

from __future__ import annotations

import datetime as dt
import time
from functools import cache

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from msgspec import Struct


class Client(Struct):
    """`owners` installed it; `sold` counts the tokens that it bought, each of which lasts `seconds`."""

    number: str
    public: str
    owners: tuple[str, ...] = ("acme",)
    seconds: int = 3600
    sold: int = 0

    def signed(self, said: str) -> bool:
        """Words that this App signed, for at most ten minutes, not from the future and not past."""
        if said.count(".") != 2:
            return False
        try:
            words = jwt.decode(said, self.public, algorithms=["RS256"], issuer=self.number)
        except jwt.exceptions.PyJWTError:
            return False
        now = time.time()
        return bool(now - 600 <= words["iat"] <= now + 5 and words["exp"] <= now + 600)

    def sell(self, token: str) -> dict[str, str]:
        self.sold += 1
        end = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=self.seconds)
        return {"token": token, "expires_at": end.strftime("%Y-%m-%dT%H:%M:%SZ")}


@cache
def keys() -> tuple[str, str]:
    """A private and a public key, made for this run."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return secret.decode(), public.decode()
