"""Adds the journal of what people say of cases."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes the journal's table."""
    op.create_table(
        "journal",
        sa.Column("id", _Number, primary_key=True),
        sa.Column("key", sa.String(32), nullable=False, unique=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("run_id", _Number, nullable=False),
        sa.Column("suite_sha256", sa.String(64), nullable=False),
        sa.Column("case_id", sa.LargeBinary, nullable=False),
        sa.Column("fixture_hash", sa.String(64), nullable=False, index=True),
        sa.Column("completion_hash", sa.String(64)),
        sa.Column("verdict", sa.Text),
        sa.Column("settles", sa.Boolean, nullable=False),
        sa.Column("change", sa.LargeBinary),
        sa.Column("takes_back", sa.String(32)),
        sa.Column("note", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
