"""One retrieval from question to trace: puts the stages together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from affrag_core.config import RetrievalConfig
from affrag_core.encoders.emotions import emotion_vector
from affrag_core.errors import ConfigError, EncoderError
from affrag_core.events.source import EventSource
from affrag_core.events.times import as_utc, seconds_since_epoch
from affrag_core.events.vectors import as_vector
from affrag_core.graph.structure import EventGraph
from affrag_core.index.exact import ExactIndex
from affrag_core.retrieval.als import LinkScorer
from affrag_core.retrieval.candidates import Traversal, Walk, WalkRules
from affrag_core.retrieval.first_stage import Pool, first_stage
from affrag_core.retrieval.neighbourhood import ArrayNeighbourhood
from affrag_core.retrieval.ranking import rank_paths
from affrag_core.retrieval.run import Run
from affrag_core.retrieval.sampling import Cut, generator
from affrag_core.retrieval.scene import Scene, Snapshot
from affrag_core.retrieval.similarity import QuerySimilarity
from affrag_core.retrieval.trace import RetrievalTrace
from affrag_core.retrieval.traversal import traverse

Float64Array = npt.NDArray[np.float64]
Vector = Sequence[float] | npt.NDArray[np.floating[Any]]


class Retriever:
    """Answers questions about a workspace, and keeps what one answer computed for the next.

    Parameters
    ----------
    source : EventSource
        A Workspace, or anything that reads like one. A change there is seen by the next retrieval.
    encode : callable, optional
        Text to semantic vector, for questions that come without one.
    """

    def __init__(self, source: EventSource, *, encode: Callable[[str], Vector] | None = None) -> None:
        self._source = source
        self._encode = encode
        self._compiled: tuple[Snapshot, ExactIndex] | None = None
        self._compiling = Lock()
        self._scorer: LinkScorer | None = None

    @property
    def graph(self) -> EventGraph:
        """The compiled graph of the workspace as it is now."""
        return self._current()[0].graph

    def retrieve(
        self,
        query: str | Vector,
        config: RetrievalConfig | None = None,
        as_of: datetime | str | None = None,
        *,
        query_vec: Vector | None = None,
    ) -> RetrievalTrace:
        """Answer a question as of a time.

        Parameters
        ----------
        query : str, or array_like of shape (dim,)
            The question, or a vector in its place.
        config : RetrievalConfig, optional
        as_of : datetime or str
            The present of this retrieval; events dated after it do not exist yet.
        query_vec : array_like of shape (dim,), optional
            The question's vector where it is known.

        Returns
        -------
        RetrievalTrace

        Raises
        ------
        ConfigError
            If the question is blank or `as_of` is missing.
        EncoderError
            If a text has no vector and there is no encoder, or the vector's length does not fit.
        EventError
            If the vector is not finite, `as_of` cannot be read, or the mood's word is not known.
        """
        if as_of is None:
            raise ConfigError("as_of must say the time to look from; the present is never assumed")
        config, now = config or RetrievalConfig(), as_utc(as_of, field="as_of")
        watch = _Stopwatch()
        vector = self._query_vector(query, query_vec)
        watch.lap("question")
        snapshot, index = self._current()
        watch.lap("graph")
        scene = _scene(snapshot, index, vector, config, seconds_since_epoch(now))
        pool = first_stage(scene)
        watch.lap("first stage")
        scorer, rules = self._link_scorer(snapshot, config), _rules(scene)
        traversal = _walks(pool, ArrayNeighbourhood(scorer, index, scene.exists, config.cpt), rules, config)
        watch.lap("traversal")
        run = Run(scene, pool, scorer, rules, traversal, rank_paths(traversal.walks, scene, pool.scores.span))
        watch.lap("ranking")
        versions = {
            "data": snapshot.version,
            "semantic_encoder": self._source.semantic_space,
            "emotional_encoder": self._source.emotional_space,
        }
        return RetrievalTrace.of(run, query=query if isinstance(query, str) else "", as_of=now, versions=versions, timings_ms=watch.laps)

    def _query_vector(self, query: str | Vector, query_vec: Vector | None) -> Float64Array:
        if isinstance(query, str) and not query.strip():
            raise ConfigError("query must not be blank: ask a question, or start from an event")
        given = query if query_vec is None else query_vec
        if isinstance(given, str):
            if self._encode is None:
                raise EncoderError("the question has no vector and no encoder is at hand: give query_vec, or encode= to the Retriever")
            given = self._encode(given)
        vector = as_vector(given, field="query")
        return np.zeros(0) if vector is None else vector.astype(np.float64)

    def _current(self) -> tuple[Snapshot, ExactIndex]:
        """The workspace's latest version."""
        with self._compiling:
            while self._compiled is None or self._compiled[0].version != self._source.version:
                self._compiled = self._recompiled(self._compiled) or self._compiled
            return self._compiled

    def _recompiled(self, known: tuple[Snapshot, ExactIndex] | None) -> tuple[Snapshot, ExactIndex] | None:
        """The workspace compiled, in part where it is known what changed; None if someone changed it while it was read."""
        version = self._source.version
        changes = None if known is None else self._source.changes_since(known[0].version)
        events = self._source.events()
        if self._source.version != version:
            return None
        graph = None if known is None or changes is None else known[0].graph.updated(changes)
        if graph is None or graph.ids != [event.id for event in events]:  # nothing to go on, or an event came back to its old place
            edges = self._source.edges()
            if self._source.version != version:
                return None
            graph = EventGraph.build(events, edges)
        if known is not None and known[0].graph.arrays is graph.arrays:
            return Snapshot.of(version, events, graph), known[1]
        semantic = graph.arrays.semantic
        return Snapshot.of(version, events, graph), ExactIndex(semantic.matrix, norms=semantic.norms, members=semantic.present)

    def _link_scorer(self, snapshot: Snapshot, config: RetrievalConfig) -> LinkScorer:
        scorer = self._scorer
        if scorer is None or scorer.graph is not snapshot.graph or scorer.config != config.als:
            scorer = self._scorer = LinkScorer(snapshot.graph, config.als)
        return scorer


def _scene(snapshot: Snapshot, index: ExactIndex, vector: Float64Array, config: RetrievalConfig, now_s: float) -> Scene:
    arrays = snapshot.graph.arrays
    similarity = QuerySimilarity(
        vector,
        index,
        semantic=arrays.semantic,
        emotional=arrays.emotional,
        mood=_mood_vector(config, arrays.emotional.matrix.shape[1]),
        mood_weight=config.mood_weight,
    )
    return Scene.of(snapshot, config, now_s, similarity)


def _mood_vector(config: RetrievalConfig, dim: int) -> Float64Array | None:
    """The mood as a vector beside the events' emotional vectors of `dim` numbers; `dim` is 0 where no event has one."""
    if not isinstance(config.mood, str):
        return None if config.mood is None else np.asarray(config.mood, dtype=np.float64)
    vector = np.asarray(emotion_vector(config.mood), dtype=np.float64)
    if config.mood_weight != 0 and dim not in (0, len(vector)):
        place = f"is a word for valence and arousal, but the events' feelings have {dim} numbers"
        raise EncoderError(f"the mood {config.mood!r} {place}: give it as a vector like theirs")
    return vector


def _rules(scene: Scene) -> WalkRules[int]:
    cpt = scene.config.cpt
    return WalkRules(cpt, Cut.of_hop(cpt), Cut.of_activation(cpt), generator(cpt), scene.blocked(), scene.config.max_paths)


def _walks(pool: Pool, neighbourhood: ArrayNeighbourhood, rules: WalkRules[int], config: RetrievalConfig) -> Traversal[int]:
    seeds = pool.seed_scores()
    if config.mode in ("cpt", "combined"):
        return traverse(seeds, neighbourhood, rules)
    return Traversal([Walk((position,), score, score=score) for position, score in seeds])


class _Stopwatch:
    """Milliseconds a stage took, by a monotonic counter that knows nothing of the date."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        now = perf_counter()
        self.laps[stage] = (now - self._last) * 1e3
        self._last = now
