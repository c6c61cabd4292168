"""What is said of repositories and changes nothing: findings, plan, a check's line, stale directories."""
