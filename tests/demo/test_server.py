"""What the embedded AWS must be like for Terraform and boto3 to live with it."""

import socket
from collections.abc import Mapping
from http.client import HTTPConnection

from migrate.demo import cloud

ASKED = 25
SIGNED = "AWS4-HMAC-SHA256 Credential=acme/20260101/eu-west-1/dynamodb/aws4_request"
LIST = {"Authorization": SIGNED, "X-Amz-Target": "DynamoDB_20120810.ListTables"}


def test_head_and_body_of_an_answer_arrive_in_one_piece_and_a_leave_to_go_on_before_it() -> None:
    with cloud.running() as aws:
        aws.make_table("acme-locks")
        for _ in range(ASKED):
            head, blank, body = first_piece(aws.port, LIST, b"{}").partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 ")
            assert (blank, body) == (b"\r\n\r\n", b'{"TableNames": ["acme-locks"]}')
        waits = {**LIST, "Expect": "100-continue", "Content-Length": "2"}
        assert first_piece(aws.port, waits, b"") == b"HTTP/1.1 100 Continue\r\n\r\n"


def first_piece(port: int, headers: Mapping[str, str], body: bytes) -> bytes:
    """All that one reading of the connection gives of the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/", body, headers)
    sock: socket.socket = connection.sock
    piece = sock.recv(65536)
    connection.close()
    return piece
