"""Moves Terraform S3 backends from DynamoDB table locks to S3 lockfiles."""

__version__ = "0.1.0"
