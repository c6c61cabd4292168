"""The child process in which moto plays AWS: on 127.0.0.1 only, and gone as soon as its parent is."""

import sys
from threading import Thread

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server


class Handler(MotoRequestHandler):
    """Head and body of an answer leave in one piece.

    The SDK that Terraform is built with closes the request's body as soon as it has the head, and Go may then
    close the connection before the rest is there (aws-sdk-go-v2 issue 2737): the SDK asks again, and meets
    the lock that it has just taken.
    """

    wbufsize = -1

    def handle_expect_100(self) -> bool:
        """At once: boto3 waits a second for this before it sends the body of a PUT."""
        told = super().handle_expect_100()
        self.wfile.flush()
        return told


def serve() -> None:
    """Say the port, then serve until standard input ends: it does when the parent ends, however it ends."""
    app = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    server.shutdown()


if __name__ == "__main__":
    serve()
