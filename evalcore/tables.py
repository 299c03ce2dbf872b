"""The history's tables as they are now; `migrations` says how they came to be."""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class UtcTime(TypeDecorator[datetime]):
    """Keeps a time in UTC, in databases that know no zones as well."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Takes a time of any zone; a naive one is a fault of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Gives the time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# SQLite numbers its rows by itself only where the type is exactly INTEGER.
_Number = BigInteger().with_variant(Integer, "sqlite")
_HASH_BYTES = 32

metadata = MetaData()

# Ids, fixtures, completions and labels of cases, each text once. Bytes, because PostgreSQL's text
# holds no NUL, and an index over a hash because its indexes hold no long values.
texts = Table(
    "texts",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("hash", LargeBinary(_HASH_BYTES), nullable=False, unique=True),
    Column("body", LargeBinary, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("key", LargeBinary(_HASH_BYTES), nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("saved_at", UtcTime, nullable=False),
    Column("suite", Text, nullable=False),
    Column("suite_sha256", String(64), nullable=False),
    Column("instrument_hash", String(64), nullable=False),
    Column("matching", Text, nullable=False),
    Column("job", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("alerts", Text, nullable=False),
    Column("complete", Boolean, nullable=False),
    UniqueConstraint("key", "repeat"),
    # A number is never given twice, so that a link to a run that was removed leads nowhere.
    sqlite_autoincrement=True,
)

strata = Table(
    "strata",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("stratum", SmallInteger, primary_key=True),
    Column("passed", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("unanswered", Integer, nullable=False),
    Column("instrument_hash", String(64), nullable=False),
    sqlite_with_rowid=False,
)

reports = Table(
    "reports",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

# One index serves all: a case's history is a lookup per run, and a second index on the case makes
# saving several times slower. Without one, a foreign key to a text would read all grades again for
# each text that goes with the examples.
grades = Table(
    "grades",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", _Number, primary_key=True, autoincrement=False),
    Column("fixture_id", _Number, nullable=False),
    Column("completion_id", _Number),
    Column("label_id", _Number),
    Column("stratum", SmallInteger, nullable=False),
    Column("outcome", SmallInteger, nullable=False),
    Column("line", Integer, nullable=False),
    Column("explanation", LargeBinary),
    sqlite_with_rowid=False,
)

# Nothing is overwritten: the newest entry of a run holds.
exclusions = Table(
    "exclusions",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("excluded", Boolean, nullable=False),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
)

# What people said of cases. Nothing is overwritten, and no foreign key ties an entry to a run: it
# holds for a case's text wherever that is, and may come from another history.
journal = Table(
    "journal",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("at", UtcTime, nullable=False),
    Column("who", Text, nullable=False),
    Column("run_id", _Number, nullable=False),
    Column("suite_sha256", String(64), nullable=False),
    Column("case_id", LargeBinary, nullable=False),
    Column("fixture_hash", String(64), nullable=False, index=True),
    Column("completion_hash", String(64)),
    Column("verdict", Text),
    Column("settles", Boolean, nullable=False),
    Column("change", LargeBinary),
    Column("takes_back", String(32)),
    Column("note", Text, nullable=False),
    # A number is never given twice, so that whoever has read up to one misses none.
    sqlite_autoincrement=True,
)
