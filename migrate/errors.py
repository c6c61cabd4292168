"""The one error that people see: what is wrong, where, and what to try."""


class RelockError(Exception):
    """Something outside this program keeps it from doing what was asked.

    `what` starts with a lower-case word, `where` is `path[:line[:column]]` or another name of a place, or
    empty, and `try_this` is a command or an act that would help. A source edit that will not be made is a
    `Refusal`, and a fact that is not known an `Unknown`: neither is an error.
    """

    def __init__(self, what: str, where: str, try_this: str) -> None:
        super().__init__(what, where, try_this)
        self.what = what
        self.where = where
        self.try_this = try_this

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}\n  try: {self.try_this}"
