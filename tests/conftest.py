"""What all tests share."""

import os

from hypothesis import settings

# A shared machine's pauses are no failure; a red CI should be red again on the next run.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")
