"""`tfrelock.edit/1`: an edit for programs, with the patch that undoes it."""

from __future__ import annotations

import hashlib

from migrate.patch import diff
from migrate.proof import Proof
from migrate.report import Edited, EditedFile
from migrate.reports.spelling import Json, dumps, refusal


def render(report: Edited, /) -> str:
    return dumps(
        {
            "schema": "tfrelock.edit/1",
            "phase": report.phase,
            "files": [_file(file) for file in report.files],
            "refusals": [refusal(one) for one in report.refusals],
            "held": [refusal(one) for one in report.held],
            "suggestions": [
                {"repository": s.where.repo, "path": str(s.where.path), "line": s.where.line, "why": s.why,
                 "text": s.text}
                for s in report.suggestions
            ],
        }
    )  # fmt: skip


def _file(file: EditedFile) -> Json:
    proof = file.proof
    return {
        "repository": file.repo,
        "path": str(file.path),
        "diff": diff(file.before, file.after, str(file.path)),
        "sha256_before": _sha256(file.before),
        "sha256_after": _sha256(file.after),
        "reverse": diff(file.after, file.before, str(file.path)),
        "proof": {
            "added": dict(proof.added),
            "removed": dict(proof.removed),
            "changed": {path: list(values) for path, values in proof.changed.items()},
        }
        if isinstance(proof, Proof)
        else None,
        "proof_missing": None if isinstance(proof, Proof) else proof.why,
    }


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
