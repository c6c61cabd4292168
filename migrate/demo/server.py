"""The child process in which moto plays AWS: on 127.0.0.1 only, and gone as soon as its parent is."""

import sys

from moto.server import ThreadedMotoServer


def serve() -> None:
    """Say the port, then serve until standard input ends: it does when the parent ends, however it ends."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    sys.stdout.write(f"{server.get_host_and_port()[1]}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    server.stop()


if __name__ == "__main__":
    serve()
