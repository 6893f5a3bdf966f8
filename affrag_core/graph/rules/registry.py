"""All rules together: read from what a workspace stores, and run without proposing what is there already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from affrag_core.errors import ConfigError
from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.graph.rules.names import SharedName
from affrag_core.graph.rules.nearest import Nearest
from affrag_core.graph.rules.references import ByReference
from affrag_core.graph.rules.sequence import NextInTime
from affrag_core.graph.rules.view import Proposal, RuleView

LinkRule = NextInTime | ByReference | SharedName | Nearest
RULES: tuple[type[LinkRule], ...] = (NextInTime, ByReference, SharedName, Nearest)
_READER: TypeAdapter[LinkRule] = TypeAdapter(Annotated[LinkRule, Field(discriminator="rule")])


def read_rule(stored: Mapping[str, Any]) -> LinkRule:
    """A rule from the plain JSON that ``rule.model_dump(mode="json")`` gives.

    Raises
    ------
    ConfigError
        If it is not a rule, or one of its settings is out of range.
    """
    try:
        return _READER.validate_python(dict(stored))
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"link rule, {'.'.join(map(str, first['loc'])) or 'rule'}: {first['msg'].lower()}") from None


def proposed_links(
    rule: LinkRule, view: RuleView, existing: Collection[EdgeKey] = frozenset(), *, touching: Collection[str] | None = None
) -> Proposal:
    """What a rule would add.

    Parameters
    ----------
    rule : LinkRule
    view : RuleView
    existing : collection of edge keys
        Not proposed again, whatever their attributes.
    touching : collection of str, optional
        Only links with one of these events at an end: how a rule is run again when events came in.

    Returns
    -------
    Proposal
        Each link once.
    """
    proposal = rule.propose(view)
    fresh = {edge.key: edge for edge in proposal.edges if edge.key not in existing and edge.source != edge.target}
    if touching is not None:
        near = frozenset(touching)
        fresh = {key: edge for key, edge in fresh.items() if key[0] in near or key[1] in near}
    return Proposal(list(fresh.values()), proposal.left_out)


def all_proposed_links(
    rules: Iterable[LinkRule], view: RuleView, existing: Collection[EdgeKey] = frozenset(), *, touching: Collection[str] | None = None
) -> list[Edge]:
    """What several rules would add together, each link once, in order of the rules."""
    found: dict[EdgeKey, Edge] = {}
    for rule in rules:
        for edge in proposed_links(rule, view, existing, touching=touching).edges:
            found.setdefault(edge.key, edge)
    return list(found.values())
