"""Bytes to text, strictly: what is not UTF-8 is named, never guessed at."""

from migrate.files.items import Read, Unreadable
from migrate.model import RepoId, Source


def decode(repo: RepoId, read: Read) -> Source | Unreadable:
    """The text of a file with its BOM, line ends and missing final newline kept, or why it is none."""
    try:
        text = read.data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Unreadable(read.path, _encoding(read.data, error))
    if "\0" in text:
        return Unreadable(read.path, _encoding(read.data, None))
    return Source(repo, read.path, text)


def _encoding(data: bytes, error: UnicodeDecodeError | None) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        return "UTF-16 text, not UTF-8: save it as UTF-8"
    if error is None or b"\0" in data:
        return "holds NUL bytes: not a text file"
    line = data.count(b"\n", 0, error.start) + 1
    byte = f"0x{data[error.start]:02x}"
    return f"not UTF-8: byte {byte} in line {line} (Latin-1 or Windows-1252?): save it as UTF-8"
