"""The child process in which moto plays AWS: on 127.0.0.1 only, and gone as soon as its parent is."""

import sys

from moto.server import ThreadedMotoServer
from werkzeug.serving import WSGIRequestHandler


def serve() -> None:
    """Say the port, then serve until standard input ends: it does when the parent ends, however it ends."""
    # Head and body of an answer leave in one piece. The SDK that Terraform is built with closes the request's
    # body as soon as it has the head, and Go may then close the connection before the rest is there
    # (aws-sdk-go-v2 issue 2737): the SDK asks again, and meets the lock that it has just taken.
    WSGIRequestHandler.wbufsize = -1
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    sys.stdout.write(f"{server.get_host_and_port()[1]}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    server.stop()


if __name__ == "__main__":
    serve()
