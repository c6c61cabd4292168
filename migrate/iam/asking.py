"""Asking the store itself what a role may do with a lock, by requests that can change nothing.

PUT and DELETE carry an `If-Match` of an ETag that no object has: a store that heeds it answers 404 or 412
where the role may, and 403 where it may not.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

NO_SUCH_ETAG: Final = '"00000000000000000000000000000000"'
"""An MD5 that nobody has found a text for."""

_HELD: Final = "the lock is held now: ask again"


class Headers(Struct, frozen=True):
    """What the PUT of a lock says of encryption and access, as that of its state does."""

    encryption: Literal["AES256", "aws:kms"] | None = None
    kms_key: str | None = None
    acl: str | None = None


class LockObject(Struct, frozen=True):
    """The lock of one state in one workspace. No `region`: that of the environment."""

    bucket: str
    key: str
    region: str
    headers: Headers = Headers()

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"


class Answer(Struct, frozen=True):
    """A status and the store's own word for it; status 0 where no answer came."""

    status: int
    code: str = ""

    @property
    def absent(self) -> bool:
        """There is no such object, and the caller may know it."""
        return self.status == 404 and self.code != "NoSuchBucket"

    @property
    def may(self) -> bool:
        """The caller may: all that stood in the way was the condition."""
        return self.absent or self.status == 412

    @property
    def refused(self) -> bool:
        """The caller may not; a clock or a key that is wrong is answered with 403 too. HEAD has no word."""
        return self.status == 403 and self.code in ("AccessDenied", "403", "")

    def __str__(self) -> str:
        return f"{self.status} {self.code}".strip() if self.status else self.code


class Answers(Struct, frozen=True):
    """What was answered, in the order of asking; None to what was not asked any more."""

    get: Answer
    put: Answer | None = None
    head: Answer | None = None
    delete: Answer | None = None


class Meaning(Struct, frozen=True):
    """Whether the role may take and release the lock (None: not known), and why."""

    holds: bool | None
    because: str


def meaning(answers: Answers) -> Meaning:
    """What the answers say. A refusal counts only where GET showed that the role may read and list."""
    match answers:
        case Answers(get=Answer(status=200)) | Answers(head=Answer(status=200)):
            return Meaning(None, _HELD)
        case Answers(get=get) if get.refused:
            return Meaning(None, _ambiguous(answers))
        case Answers(get=get) if not get.absent:
            return Meaning(None, f"GET was answered {get}")
        case Answers(put=Answer() as put) if put.refused:
            return Meaning(holds=False, because="cannot lock: GET is allowed, PUT is refused")
        case Answers(delete=Answer() as delete) if delete.refused:
            return Meaning(
                holds=False, because="stuck lock: PUT is allowed, DELETE is refused: nobody could release it"
            )
        case Answers(_, Answer() as put, Answer() as head, Answer() as delete) if (
            put.may and head.absent and delete.may
        ):
            return Meaning(holds=True, because="GET, PUT and DELETE are allowed")
        case _:
            return Meaning(None, _last(answers))


def _ambiguous(answers: Answers) -> str:
    """S3 hides whether an object is there from whoever may not list the bucket."""
    put = f", PUT {answers.put}" if answers.put else ""
    return (
        f"GET was answered {answers.get}{put}: s3:GetObject on the lock or s3:ListBucket on the bucket is "
        "missing, and which of them cannot be told"
    )


def _last(answers: Answers) -> str:
    asked = {"DELETE": answers.delete, "HEAD": answers.head, "PUT": answers.put, "GET": answers.get}
    verb, answer = next((verb, answer) for verb, answer in asked.items() if answer)
    return f"{verb} was answered {answer}"
