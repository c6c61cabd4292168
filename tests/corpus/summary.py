"""What a visit to each repository showed, for people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.corpus.program import Audit
from tests.corpus.rounds import Round, Visit
from tests.corpus.statements import CLASSES


def of_one(visit: Visit) -> Iterator[str]:
    yield visit.name
    if visit.audit:
        yield from _found(visit.audit)
    for played in visit.rounds:
        yield f"  {played.name:<11} {played.files} files, {len(played.refusals)} refused"
        for why, count in Counter(refusal["why"] for refusal in played.refusals).most_common():
            yield f"              {count} × {why}"
    if visit.statements:
        yield f"  statements  {_counts(Counter(one.kind for one in visit.statements))}"
        told = (one for one in visit.statements if one.kind in _TOLD)
        yield from (f"              {one}" for one in told)
    broken = visit.all_broken()
    yield f"  broken      {len(broken)}"
    yield from (f"              {one}" for one in broken)


_TOLD = ("edited", "edited, to review", "told", "refused", "not read")


def _found(audit: Audit) -> Iterator[str]:
    sites = Counter((site["dialect"], site["role"]) for site in audit["sites"])
    looks = Counter(mention["looks_like"] for mention in audit["mentions"])
    yield f"  sites       {_counts({' '.join(kind): count for kind, count in sites.items()})}"
    yield f"  mentions    {_counts(looks)}; unaccounted {audit['summary']['unaccounted']}"
    yield f"  unreadable  {len(audit['unreadable'])}"


def _counts(counted: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items())) or "none"


def of_all(visits: Sequence[Visit]) -> Iterator[str]:
    """The table over all repositories, and the refusals by their reason."""
    rows = [_row(visit) for visit in visits]
    yield _line("repository", COLUMNS)
    yield from (_line(visit.name, row) for visit, row in zip(visits, rows, strict=True))
    yield _line(f"all {len(visits)}", [sum(column) for column in zip(*rows, strict=True)])
    whys = Counter((played.name, refusal["why"]) for played in _rounds(visits) for refusal in played.refusals)
    classes = Counter(one.kind for visit in visits for one in visit.statements)
    yield "" if classes else "no statements of policies"
    yield from (f"{classes[kind]:>5} × {kind} ({means})" for kind, means in CLASSES.items() if classes[kind])
    yield "" if whys else "no refusals"
    yield from (f"{count:>5} × {name}: {why}" for (name, why), count in whys.most_common())


COLUMNS = ("sites", "edits", "refused", "mentions", "unaccounted", "unreadable", "broken")


def _row(visit: Visit) -> list[int]:
    audit = visit.audit
    return [
        len(audit["sites"]) if audit else 0,
        sum(played.files for played in visit.rounds),
        sum(len(played.refusals) for played in visit.rounds),
        len(audit["mentions"]) if audit else 0,
        audit["summary"]["unaccounted"] if audit else 0,
        len(audit["unreadable"]) if audit else 0,
        len(visit.all_broken()),
    ]


def _line(name: str, row: Iterable[int | str]) -> str:
    return f"{name:<52}" + "".join(f"{cell:>12}" for cell in row)


def _rounds(visits: Iterable[Visit]) -> Iterator[Round]:
    return (played for visit in visits for played in visit.rounds)
