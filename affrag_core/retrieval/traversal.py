"""Context Path Traversal: from each seed, hop by hop along the best links."""

from __future__ import annotations

from collections.abc import Iterable

from affrag_core.errors import PathLimitError
from affrag_core.retrieval.candidates import Candidates, Hop, Key, Neighbourhood, ScoredRow, Traversal, Walk, WalkRules, scored_row


def traverse(seeds: Iterable[tuple[Key, float]], neighbourhood: Neighbourhood[Key], rules: WalkRules[Key]) -> Traversal[Key]:
    """Walk from every seed.

    A path's score is its seed's score plus the link score of each hop. At each hop the candidates are cut (top-p, draw, top-k), the best
    ``max_neighbors`` stay in play, and the path goes on with the best ``branching_factor`` of them; it never steps onto an event twice.

    Parameters
    ----------
    seeds : iterable of (key, score)
        In order; a key seen before is skipped.
    neighbourhood : Neighbourhood
    rules : WalkRules

    Returns
    -------
    Traversal
        A dead end is one hop without a chosen candidate.

    Raises
    ------
    PathLimitError
        If there are more walks than the rules allow; as soon as that is known.

    References
    ----------
    seeds/affective_rag.md, "How Context Path Traversal Works"; `affective-rag` 0.1.0, ``execute_context_path_traversal``.
    """
    result: Traversal[Key] = Traversal()
    started: set[Key] = set()
    for seed, seed_score in seeds:
        if seed not in started:
            started.add(seed)
            _walk_from(Walk((seed,), seed_score, score=seed_score), neighbourhood, rules, result)
    return result


def _walk_from(start: Walk[Key], neighbourhood: Neighbourhood[Key], rules: WalkRules[Key], result: Traversal[Key]) -> None:
    # Only a fresh draw of activated events can open a dead end again.
    redraws = rules.config.spreading_activation and rules.activation_cut.temperature is not None
    room = None if rules.most_walks is None else rules.most_walks - len(result.walks)
    active = [start]
    for _ in range(rules.config.max_depth):
        following: list[Walk[Key]] = []
        for walk in active:
            if room is not None and len(following) > room:
                raise _too_many(rules)
            if walk.dead_end is not None and not redraws:
                following.append(walk)
                continue
            hop = _hop(walk.path, neighbourhood, rules)
            if hop is None:
                continue
            if hop.chosen:
                result.hops.append(hop)
                following.extend(_extended(walk, hop))
            else:
                walk.dead_end = hop
                following.append(walk)
        active = following
        if not redraws and all(walk.dead_end is not None for walk in active):
            break
    if room is not None and len(active) > room:
        raise _too_many(rules)
    result.walks.extend(active)
    result.hops.extend(walk.dead_end for walk in active if walk.dead_end is not None)


def _too_many(rules: WalkRules[Key]) -> PathLimitError:
    config = rules.config
    return PathLimitError(
        rules.most_walks or 0, branching_factor=rules.width, max_depth=config.max_depth, n_seeds=max(1, config.seed_nodes)
    )


def _extended(walk: Walk[Key], hop: Hop[Key]) -> Iterable[Walk[Key]]:
    row = hop.candidates.row
    for i in hop.chosen:
        score = row.scores[i]
        yield Walk((*walk.path, row.targets[i]), walk.seed_score, (*walk.hop_scores, score), walk.score + score)


def _hop(path: tuple[Key, ...], neighbourhood: Neighbourhood[Key], rules: WalkRules[Key]) -> Hop[Key] | None:
    """One hop from the end of a path; None where nothing is known of the event it stands on."""
    row = neighbourhood.row(path[-1])
    if row is None:
        return None
    candidates = Candidates(row, len(row.targets))
    if rules.config.spreading_activation:
        candidates = _with_activation(row, path, neighbourhood, rules)
    cut = rules.hop_cut
    if cut.top_p is None and cut.temperature is None:
        return Hop(path, candidates, None, _best(candidates.row, path, rules))
    allowed = eligible(candidates.row, path, rules)
    kept = [allowed[i] for i in cut.apply([candidates.row.scores[i] for i in allowed], rules.rng)]
    best = sorted(kept, key=lambda i: -candidates.row.scores[i])
    return Hop(path, candidates, tuple(kept), tuple(best[: rules.width]))


def eligible(row: ScoredRow[Key], path: tuple[Key, ...], rules: WalkRules[Key]) -> list[int]:
    """Positions that may be stepped onto, in the row's order."""
    minimum = rules.config.min_als_score
    return [
        i
        for i, (key, score) in enumerate(zip(row.targets, row.scores, strict=True))
        if key not in path and key not in rules.blocked and (minimum is None or score >= minimum)
    ]


def _best(row: ScoredRow[Key], path: tuple[Key, ...], rules: WalkRules[Key]) -> tuple[int, ...]:
    """The best positions that may be stepped onto: what a cut without top-p and draw comes to, without looking at the whole row."""
    minimum, blocked, top_k = rules.config.min_als_score, rules.blocked, rules.hop_cut.top_k
    width = rules.width if top_k is None else min(rules.width, top_k)
    found: list[int] = []
    for i in row.order:
        if len(found) >= width or (minimum is not None and row.scores[i] < minimum):
            break
        if row.targets[i] not in path and row.targets[i] not in blocked:
            found.append(i)
    return tuple(found)


def _with_activation(
    row: ScoredRow[Key], path: tuple[Key, ...], neighbourhood: Neighbourhood[Key], rules: WalkRules[Key]
) -> Candidates[Key]:
    """The neighbours together with activated events, whose scores are multiplied; those on the path already only stand by."""
    config = rules.config
    hits = [(key, score) for key, score in neighbourhood.activated(path[-1]) if key != path[-1]]
    if config.activation_min_score is not None:
        hits = [(key, score) for key, score in hits if score >= config.activation_min_score]
    fresh = [(key, score) for key, score in hits if key not in path]
    activated = [fresh[i][0] for i in rules.activation_cut.apply([score for _, score in fresh], rules.rng)]
    apart = not config.activation_as_neighbors
    around = frozenset() if apart else frozenset(row.targets)
    more = [key for key in activated + [key for key, _ in hits if key in path] if key not in around]
    more = more if apart else list(dict.fromkeys(more))
    extra = [(k, s) for k, s in zip(more, neighbourhood.scores(path[-1], more, apart=apart), strict=True) if s is not None]
    lifted, multiplier = frozenset(activated), config.activation_score_multiplier
    scores = [score * multiplier if key in lifted else score for key, score in zip(row.targets, row.scores, strict=True)]
    scores += [score * multiplier for _, score in extra]
    return Candidates(scored_row(row.targets + [key for key, _ in extra], scores), len(row.targets), lifted, apart)
