"""Grades a suite of golden cases on three instruments that can still alarm."""
