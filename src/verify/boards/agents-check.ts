import { FIRST_TIER, TIER_NAMES } from '../../rules/tiers.ts';
import { PERIODS } from '../../rules/windows.ts';
import { BOARD_ROWS, boardOf, brierShown, type RankedAgent, sumsShown, tierShown } from './agent-figures.ts';
import { type AgentRecord, newAgentRecord } from './agent-records.ts';
import { edgeShown } from './edge-sums.ts';
import type { Findings } from '../findings.ts';
import type { PresentState, PublishedAgent } from './present-state.ts';

export function checkPresent(
  state: PresentState,
  records: ReadonlyMap<number, AgentRecord>,
  { findings, resolvedRounds }: { readonly findings: Findings; readonly resolvedRounds: number },
): void {
  const recordOf = (id: number): AgentRecord => records.get(id) ?? newAgentRecord(0);
  for (const agent of state.agents) checkAgent(agent, recordOf(agent.id), findings);
  const names = new Map(state.agents.map(({ id, name }) => [id, name]));
  const nameOf = (id: number): string => names.get(id) ?? `agent ${id}`;
  checkOrder(state, records, { findings, nameOf });
  const boards = new Map(PERIODS.map((period) => [period, boardOf(records, period)]));
  for (const [period, board] of boards) {
    const ranks = new Map(board.map(({ id, rank }) => [id, rank]));
    for (const agent of state.agents) {
      const sums = recordOf(agent.id).windows[period];
      findings.values(`agent ${agent.name}, ${period} standing`, agent[period], {
        rank: ranks.get(agent.id) ?? null,
        ...sumsShown(sums),
        ...brierShown(sums),
        edge: edgeShown(sums.edges),
        arenaEdge: edgeShown(sums.arenaEdges),
      });
    }
    const rows = board.slice(0, BOARD_ROWS).map((row) => ({ name: nameOf(row.id), ...rowOf(row, period) }));
    findings.rows(`${period} board`, [state.boards[period].rankings, rows], ({ name }) => name);
  }
  checkStats(state, records, { findings, resolvedRounds, top: boards.get('alltime')?.[0], nameOf });
}

function checkAgent(agent: PublishedAgent, record: AgentRecord, findings: Findings): void {
  findings.values(`agent ${agent.name}`, agent, {
    ...sumsShown(record.windows.alltime),
    simPnl30d: sumsShown(record.windows.monthly).simPnlTotal,
    currentStreak: record.streak,
    bestStreak: record.bestStreak,
    credentialTier: tierShown(record),
  });
}

type AgentFindings = { readonly findings: Findings; readonly nameOf: (id: number) => string };

function checkOrder(
  state: PresentState,
  records: ReadonlyMap<number, AgentRecord>,
  { findings, nameOf }: AgentFindings,
): void {
  const pointsOf = (id: number): number => records.get(id)?.windows.alltime.points ?? 0;
  const ids = new Set([...state.agents.map(({ id }) => id), ...records.keys()]);
  const sorted = [...ids].toSorted((one, other) => pointsOf(other) - pointsOf(one) || one - other);
  findings.order(
    'agents by points',
    state.agents.map(({ name }) => name),
    sorted.map(nameOf),
  );
}

function rowOf({ rank, record }: RankedAgent, period: (typeof PERIODS)[number]) {
  const shown = sumsShown(record.windows[period]);
  return {
    rank,
    total_points: shown.totalPoints,
    total_arena_points: shown.totalArenaPoints,
    credential_tier: tierShown(record),
    sim_pnl_total: shown.simPnlTotal,
    win_rate: shown.winRate,
    current_streak: record.streak,
    best_streak: record.bestStreak,
    total_competitions: shown.totalCompetitions,
    total_wins: shown.totalWins,
  };
}

function checkStats(
  { stats }: PresentState,
  records: ReadonlyMap<number, AgentRecord>,
  needs: AgentFindings & { readonly resolvedRounds: number; readonly top: RankedAgent | undefined },
): void {
  const { findings, resolvedRounds, top, nameOf } = needs;
  findings.values('stats', stats, {
    total_competitions: resolvedRounds,
    top_agent: top === undefined ? null : nameOf(top.id),
    top_agent_credential: top === undefined ? null : tierShown(top.record),
  });
  const tiers = [...records.values()].map(tierShown);
  const named = TIER_NAMES.filter((tier) => tier !== FIRST_TIER);
  const holders = named.map((tier) => [tier, tiers.filter((one) => one === tier).length]);
  findings.values('stats, credential_holders', stats.credential_holders, Object.fromEntries(holders));
}
