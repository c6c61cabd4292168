"""The child process in which moto plays AWS: on 127.0.0.1 only, and gone as soon as its parent is."""

import sys

from moto.server import ThreadedMotoServer
from werkzeug.serving import WSGIRequestHandler


def serve() -> None:
    """Say the port, then serve until standard input ends: it does when the parent ends, however it ends."""
    # Connections stay open between requests, as AWS keeps them: closed after each, one answer in some hundred
    # is lost on the way, and an SDK that asks again meets the lock it has just taken.
    WSGIRequestHandler.protocol_version = "HTTP/1.1"
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    sys.stdout.write(f"{server.get_host_and_port()[1]}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    server.stop()


if __name__ == "__main__":
    serve()
