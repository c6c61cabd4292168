"""The search for tokens finds them: else that it finds none would prove nothing."""

from base64 import b64encode
from pathlib import Path

from tests import secrets


def test_a_token_in_a_file_is_found(tmp_path: Path) -> None:
    tokens = [secrets.GITHUB, secrets.GITLAB, secrets.GITEA, f"ghs_{secrets.MARK}"]
    users = ("", "x-access-token:", "oauth2:", "ada:")
    basic = [b64encode(f"{user}{token}".encode()).decode() for user in users for token in tokens]
    files = {tmp_path / f"a/{at}": text for at, text in enumerate([*tokens, *basic])}
    (tmp_path / "a").mkdir()
    for file, text in files.items():
        file.write_bytes(b"\0Authorization: " + text.encode())
    (tmp_path / "a/other").write_text("Authorization: Bearer ghp_t0k3n")
    assert sorted(secrets.kept(tmp_path)) == sorted(map(str, files))
    for file in files:
        file.unlink()
