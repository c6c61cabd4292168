-- What happened, in order. Rows are added and never changed.
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- ISO 8601 to the second, UTC
    kind TEXT NOT NULL,
    body TEXT NOT NULL  -- a JSON object of strings
) STRICT;
