"""Checks arrays from callers, and converts them to rows of small integers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lucena._lucena import LucenaError


def rows(values: Any, width: int) -> NDArray[np.uint8]:
    """Return the values as checked rows: ``width`` columns of integers from 0 to 255."""
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] != width:
        raise LucenaError(f"rows of {width} attributes are needed, but the shape is {array.shape}")
    if array.dtype != np.uint8:
        try:
            small = array.astype(np.uint8)
            is_same = bool((small == array).all())
        except (TypeError, ValueError, OverflowError) as error:
            raise LucenaError(f"attribute values are integers from 0 to 255: {error}") from error
        if not is_same:
            raise LucenaError("attribute values are integers from 0 to 255, and some are not")
        array = small
    return np.ascontiguousarray(array)
