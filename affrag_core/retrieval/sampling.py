"""Which candidates of a hop stay in play: top-p, a random draw, top-k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.config import CPTConfig

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cut:
    """How a list of scored candidates is cut.

    Parameters
    ----------
    top_k, top_p : int and float, optional
    temperature : float, optional
        A random draw at this temperature; None takes the best instead.
    """

    top_k: int | None
    top_p: float | None
    temperature: float | None

    @classmethod
    def of_hop(cls, config: CPTConfig) -> Cut:
        """The cut for all candidates of a hop."""
        return cls(config.top_k, config.top_p, (config.sampling_temperature or None) if config.random_sampling else None)

    @classmethod
    def of_activation(cls, config: CPTConfig) -> Cut:
        """The cut for activated events, which falls back to the hop's."""
        top_k = config.top_k if config.activation_top_k is None else config.activation_top_k
        top_p = config.top_p if config.activation_top_p is None else config.activation_top_p
        draws = config.random_sampling if config.activation_random is None else config.activation_random
        temperature = config.activation_sampling_temperature
        if temperature is None:
            temperature = config.sampling_temperature
        return cls(top_k, top_p, (temperature or None) if draws else None)

    def apply(self, scores: list[float], rng: np.random.Generator | None) -> list[int]:
        """Positions that stay: drawn ones in the order drawn, else best first with ties in order.

        Parameters
        ----------
        scores : list of float, length n_candidates
        rng : numpy.random.Generator, optional
            Needed where a temperature is set.

        References
        ----------
        `affective-rag` 0.1.0, ``apply_topk_topp_sampling``.
        """
        inside = list(range(len(scores))) if self.top_p is None else nucleus(scores, self.top_p)
        if not inside:
            return []
        if self.temperature is not None and rng is not None:
            size = min(len(inside), self.top_k or len(inside))
            return [inside[i] for i in draw([scores[i] for i in inside], size, self.temperature, rng)]
        best = sorted(inside, key=lambda i: -scores[i])
        return best if self.top_k is None else best[: self.top_k]


def generator(config: CPTConfig) -> np.random.Generator | None:
    """The generator of a traversal's draws, by its seed; None where nothing is drawn."""
    draws = Cut.of_hop(config).temperature is not None or Cut.of_activation(config).temperature is not None
    return np.random.default_rng(config.sampling_seed) if draws else None


def nucleus(scores: list[float], top_p: float) -> list[int]:
    r"""Positions of the fewest candidates whose shares of the total reach `top_p`, largest share first.

    .. math:: \pi_i = s_i / \sum_j s_j

    Where the scores do not add up to more than 0, every candidate has the same share. Of equal shares the later candidate comes first,
    as in the reference; where the shares never reach `top_p`, all stay.

    Parameters
    ----------
    scores : list of float, length n_candidates
    top_p : float
        In [0, 1]; at least one candidate stays.

    References
    ----------
    `affective-rag` 0.1.0, ``apply_topk_topp_sampling``.
    """
    if not scores:
        return []
    array = np.array(scores, dtype=np.float64)
    total = float(array.sum())
    shares = array / total if total > 0 else np.full(len(array), 1 / len(array))
    order = np.argsort(shares, kind="stable")[::-1]
    reached = np.flatnonzero(np.cumsum(shares[order]) >= top_p)
    stop = int(reached[0]) + 1 if len(reached) else len(order)
    kept: list[int] = order[:stop].tolist()
    return kept


def draw(scores: list[float], size: int, temperature: float, rng: np.random.Generator) -> list[int]:
    r"""Positions of `size` candidates drawn without replacement.

    .. math:: \pi_i \propto \exp((s_i - \max_j s_j) / T)

    Where too few candidates have a chance above 0, the first `size` are taken, as in the reference.

    Parameters
    ----------
    scores : list of float, length n_candidates
    size : int
        At most n_candidates.
    temperature : float
        T > 0.
    rng : numpy.random.Generator

    References
    ----------
    `affective-rag` 0.1.0, ``apply_topk_topp_sampling``.
    """
    array = np.array(scores, dtype=np.float64)
    with np.errstate(over="ignore"):  # a far worse candidate over a tiny temperature has no chance
        chances = np.exp((array - array.max()) / temperature)
    chances /= chances.sum()
    if np.count_nonzero(chances) < size:
        return list(range(size))
    drawn: list[int] = rng.choice(len(array), size=size, replace=False, p=chances).tolist()
    return drawn
