"""Vector lookups given by the caller, which take a query alone or a query and how many hits to give."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

Lookup = Callable[..., Iterable[tuple[Any, float]]]


def takes_top_k(lookup: Lookup) -> bool:
    """Whether a lookup can be called with a query and a number of hits."""
    try:
        inspect.signature(lookup).bind("query", 1)
    except TypeError:
        return False
    except ValueError:  # a callable without a signature to read
        return True
    return True


def activation_lookup(lookup: Lookup, top_k: int | None) -> Callable[[str], list[tuple[Any, float]]]:
    """The lookup as spreading activation calls it: by text, for `top_k` hits where it can be told how many."""
    told: list[bool] = []

    def activate(text: str) -> list[tuple[Any, float]]:
        if not told:  # looked at only where activation is in use
            told.append(takes_top_k(lookup))
        return [(key, float(score)) for key, score in (lookup(text, top_k) if told[0] else lookup(text))]

    return activate


def seed_hits(lookup: Lookup, query: Any, size: int) -> list[tuple[Any, float]]:
    """The first `size` hits of a query, as the lookup gives them."""
    return list(lookup(query))[:size]
