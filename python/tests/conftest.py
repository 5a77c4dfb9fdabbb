"""Fixtures of all tests."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Make the command store its tables here instead of the developer's cache."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    # Ignore the developer's defaults too.
    os.environ["LUCENA_CONFIG"] = ""
