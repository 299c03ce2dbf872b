"""Begins the history: texts, runs, their sums and reports, grades, exclusions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_Time = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the first tables."""
    op.create_table(
        "texts",
        sa.Column("id", _Number, primary_key=True),
        sa.Column("hash", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", _Number, primary_key=True),
        sa.Column("key", sa.LargeBinary(32), nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
        sa.Column("at", _Time, nullable=False),
        sa.Column("saved_at", _Time, nullable=False),
        sa.Column("suite", sa.Text, nullable=False),
        sa.Column("suite_sha256", sa.String(64), nullable=False),
        sa.Column("instrument_hash", sa.String(64), nullable=False),
        sa.Column("matching", sa.Text, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("alerts", sa.Text, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.UniqueConstraint("key", "repeat"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "strata",
        _run_key(),
        sa.Column("stratum", sa.SmallInteger, primary_key=True),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("unanswered", sa.Integer, nullable=False),
        sa.Column("instrument_hash", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table("reports", _run_key(), sa.Column("body", sa.LargeBinary, nullable=False))
    op.create_table(
        "grades",
        _run_key(),
        sa.Column("case_id", _Number, primary_key=True, autoincrement=False),
        sa.Column("fixture_id", _Number, nullable=False),
        sa.Column("completion_id", _Number),
        sa.Column("label_id", _Number),
        sa.Column("stratum", sa.SmallInteger, nullable=False),
        sa.Column("outcome", sa.SmallInteger, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("explanation", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "exclusions",
        sa.Column("id", _Number, primary_key=True),
        sa.Column("run_id", _Number, sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", _Time, nullable=False),
        sa.Column("excluded", sa.Boolean, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )


def _run_key() -> sa.Column[int]:
    return sa.Column(
        "run_id", _Number, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
    )
