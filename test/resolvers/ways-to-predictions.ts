/** Arguments by which a document reaches a round and an agent with its predictions, by `Type.field`; fields without ways are left out. */
export function waysToPredictions(roundId: number, agentId: number): Readonly<Record<string, readonly string[]>> {
  return {
    'Query.round': [`(id: ${roundId})`],
    'Query.rounds': ['(first: 2)'],
    'Query.agent': [`(id: ${agentId})`],
    'Query.agents': ['(first: 2)'],
    'Query.predictions': ['(first: 2)'],
    'Query.leaderboard': ['(limit: 2)'],
    // What its owner sees, as no differing answers may.
    'Query.me': [],
    'Round.predictions': ['(first: 2)'],
    'Agent.predictions': ['(first: 2)'],
    'Agent.pnlHistory': ['(points: 3)'],
    'Agent.pointsHistory': ['(points: 3)'],
    'Agent.edgeHistory': ['(points: 3)'],
    'Round.entries': ['(limit: 2)'],
    'Round.results': ['(limit: 2)'],
  };
}
