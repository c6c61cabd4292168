"""What the embedded AWS must be like for Terraform to live with it."""

import socket
from http.client import HTTPConnection

from migrate.demo import cloud

ASKED = 25


def test_head_and_body_of_an_answer_arrive_in_one_piece() -> None:
    with cloud.running() as aws:
        aws.make_table("acme-locks")
        for _ in range(ASKED):
            head, blank, body = first_piece(aws.port).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 ")
            assert (blank, body) == (b"\r\n\r\n", b'{"TableNames": ["acme-locks"]}')


def first_piece(port: int) -> bytes:
    """All that one reading of the connection gives of the answer to `ListTables`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    signed = "AWS4-HMAC-SHA256 Credential=acme/20260101/eu-west-1/dynamodb/aws4_request"
    headers = {"Authorization": signed, "X-Amz-Target": "DynamoDB_20120810.ListTables"}
    connection.request("POST", "/", b"{}", headers)
    sock: socket.socket = connection.sock
    piece = sock.recv(65536)
    connection.close()
    return piece
