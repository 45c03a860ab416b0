import { PERIODS } from '../rules/windows.ts';
import { boardsOf, brierShown, type Ranked, sumsShown, tierShown, usdOf } from './agent-figures.ts';
import { type Career, newCareer } from './careers.ts';
import { standingEdge } from './edge-sums.ts';
import type { Findings } from './findings.ts';
import type { PresentState, PublishedAgent } from './present-state.ts';

const BOARD_ROWS = 100;

export function checkPresent(
  state: PresentState,
  careers: ReadonlyMap<number, Career>,
  { findings, resolvedRounds }: { readonly findings: Findings; readonly resolvedRounds: number },
): void {
  const boards = boardsOf(careers);
  const ranks = new Map(PERIODS.map((period) => [period, new Map(boards[period].map(({ id, rank }) => [id, rank]))]));
  for (const agent of state.agents) {
    const career = careers.get(agent.id) ?? newCareer(0);
    checkAgent(agent, career, findings);
    for (const period of PERIODS) {
      const rank = ranks.get(period)?.get(agent.id) ?? null;
      const sums = career.windows[period];
      const [edge, arenaEdge] = [standingEdge(sums.edges), standingEdge(sums.arenaEdges)];
      const recomputed = { rank, ...sumsShown(sums), ...brierShown(sums), edge, arenaEdge };
      findings.values(`agent ${agent.name}, ${period} standing`, agent[period], recomputed);
    }
  }
  const names = new Map(state.agents.map(({ id, name }) => [id, name]));
  const nameOf = (id: number): string => names.get(id) ?? `agent ${id}`;
  checkOrder(state, careers, { findings, nameOf });
  for (const period of PERIODS) {
    const rows = boards[period].slice(0, BOARD_ROWS).map((row) => ({ name: nameOf(row.id), ...rowOf(row, period) }));
    const shown = state.boards[period].rankings;
    findings.order(
      `${period} board`,
      shown.map(({ name }) => name),
      rows.map(({ name }) => name),
    );
    for (const row of rows) {
      const published = shown.find(({ name }) => name === row.name);
      if (published !== undefined) findings.values(`${period} board, ${row.name}`, published, row);
    }
  }
  checkStats(state, careers, { findings, resolvedRounds, top: boards.alltime[0], nameOf });
}

function checkAgent(agent: PublishedAgent, career: Career, findings: Findings): void {
  findings.values(`agent ${agent.name}`, agent, {
    ...sumsShown(career.windows.alltime),
    simPnl30d: usdOf(career.windows.monthly),
    currentStreak: career.streak,
    bestStreak: career.bestStreak,
    credentialTier: tierShown(career),
  });
}

type Naming = { readonly findings: Findings; readonly nameOf: (id: number) => string };

function checkOrder(state: PresentState, careers: ReadonlyMap<number, Career>, { findings, nameOf }: Naming): void {
  const pointsOf = (id: number): number => careers.get(id)?.windows.alltime.points ?? 0;
  const ids = new Set([...state.agents.map(({ id }) => id), ...careers.keys()]);
  const sorted = [...ids].toSorted((one, other) => pointsOf(other) - pointsOf(one) || one - other);
  findings.order(
    'agents by points',
    state.agents.map(({ name }) => name),
    sorted.map(nameOf),
  );
}

function rowOf({ rank, career }: Ranked, period: (typeof PERIODS)[number]) {
  const shown = sumsShown(career.windows[period]);
  return {
    rank,
    total_points: shown.totalPoints,
    total_arena_points: shown.totalArenaPoints,
    credential_tier: tierShown(career),
    sim_pnl_total: shown.simPnlTotal,
    win_rate: shown.winRate,
    current_streak: career.streak,
    best_streak: career.bestStreak,
    total_competitions: shown.totalCompetitions,
    total_wins: shown.totalWins,
  };
}

function checkStats(
  { stats }: PresentState,
  careers: ReadonlyMap<number, Career>,
  needs: Naming & { readonly resolvedRounds: number; readonly top?: Ranked | undefined },
): void {
  const { findings, resolvedRounds, top, nameOf } = needs;
  findings.values('stats', stats, {
    total_competitions: resolvedRounds,
    top_agent: top === undefined ? null : nameOf(top.id),
    top_agent_credential: top === undefined ? null : tierShown(top.career),
  });
  const tiers = [...careers.values()].map(tierShown);
  const holders = (['silver', 'gold', 'diamond'] as const).map((tier) => [
    tier,
    tiers.filter((one) => one === tier).length,
  ]);
  findings.values('stats, credential_holders', stats.credential_holders, Object.fromEntries(holders));
}
