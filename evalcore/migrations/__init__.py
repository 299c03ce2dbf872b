"""How the history's tables came to be, one step a file, applied by Alembic."""
