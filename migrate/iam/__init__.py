"""IAM policies as values: what they grant, what a lock needs, and the least difference between the two."""
