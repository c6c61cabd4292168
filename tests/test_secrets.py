"""The search for tokens finds them: else that it finds none would prove nothing."""

from base64 import b64encode
from pathlib import Path

from tests import secrets


def test_a_token_in_a_file_is_found(tmp_path: Path) -> None:
    kept, sent = tmp_path / "a/log", tmp_path / "a/config"
    kept.parent.mkdir()
    kept.write_bytes(b"\0Bearer " + secrets.GITLAB.encode())
    sent.write_text("Authorization: Basic " + b64encode(b"x-access-token:" + secrets.GITEA.encode()).decode())
    found = [file for mark in secrets.SENT for file in secrets.holding(tmp_path, mark)]
    assert sorted(found) == [str(sent), str(kept)]
    kept.unlink()
    sent.unlink()
