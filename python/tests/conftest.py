"""What all tests share."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The command keeps tables here, and not where a developer's own are."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    # Nor are a developer's defaults.
    os.environ["LUCENA_CONFIG"] = ""
