"""What `aws` does of DynamoDB, and `aws s3api list-objects-v2`, for the commands that a proposal prints."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import boto3
from botocore.exceptions import ClientError

FAILED: Final = 254


def install(folder: Path) -> Path:
    """Put a program `aws` into a folder, for a PATH that begins with it."""
    program = folder / "aws"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
    program.chmod(0o755)
    return folder


def options(arguments: list[str]) -> dict[str, object]:
    """`--table-name acme-locks --consistent-read` → `{"TableName": "acme-locks", "ConsistentRead": True}`."""
    found: dict[str, object] = {}
    name = ""
    for argument in arguments:
        if argument.startswith("--"):
            name = argument[2:].title().replace("-", "")
            found[name] = True
        else:
            found[name] = json.loads(argument) if argument.startswith("{") else argument
    return found


def at(query: str, document: object) -> object:
    """What a query of names and dots finds, None where there is nothing."""
    for name in query.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def listed(bucket: str, prefix: str, region: str, query: str) -> Iterator[str]:
    """The lines of `s3api list-objects-v2 --output text`."""
    client = boto3.client("s3", region_name=region, endpoint_url=os.environ["AWS_ENDPOINT_URL"])
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
    yield from ("\t".join(row) for row in pages.search(query))


def main(service: str, operation: str, *arguments: str) -> int:
    asked = options(list(arguments))
    if (service, operation) == ("s3api", "list-objects-v2"):
        assert asked["Output"] == "text"
        print(*listed(*(str(asked[name]) for name in ("Bucket", "Prefix", "Region", "Query"))), sep="\n")
        return 0
    assert service == "dynamodb"
    client = boto3.client(
        "dynamodb", region_name=str(asked.pop("Region")), endpoint_url=os.environ["AWS_ENDPOINT_URL"]
    )
    query, output = asked.pop("Query", None), asked.pop("Output", None)
    try:
        answer = getattr(client, operation.replace("-", "_"))(**asked)
    except ClientError as error:
        print(f"\n{error}", file=sys.stderr)
        return FAILED
    if query:
        assert output == "text"
        print(at(str(query), answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
