import { z } from 'zod';

import { ARCHIVE_KINDS, periodOf } from '../../rules/windows.ts';
import { ranked } from '../../rules/ranking.ts';
import { BOARD_ROWS, brierShown, sumsShown } from './agent-figures.ts';
import { edgeShown } from './edge-sums.ts';
import type { Findings } from '../findings.ts';
import type { History } from '../published/history.ts';
import { INSTANT } from '../published/instants.ts';
import { longestStreak, type Periods, type PeriodSums } from './period-sums.ts';
import { allNodes, type ServiceClient } from '../published/service-client.ts';

const ROW = z.looseObject({
  agentId: z.int(),
  rank: z.int(),
  totalPoints: z.int(),
  totalArenaPoints: z.int(),
  totalCompetitions: z.int(),
  totalWins: z.int(),
  simPnlTotal: z.number(),
  bestStreak: z.int(),
  brier: z.number(),
  edge: z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable(), n: z.int() }).nullable(),
});
const BOARD = z.object({
  period: z.string(),
  frozenAt: INSTANT,
  rounds: z.int(),
  agents: z.int(),
  amendedRounds: z.array(z.int()),
  rankings: z.array(ROW),
});

export type FrozenBoard = z.infer<typeof BOARD>;

const FIELDS = `{ period frozenAt rounds agents amendedRounds rankings { agentId rank totalPoints totalArenaPoints totalCompetitions totalWins
  winRate simPnlTotal bestStreak brier skill edge { mean low high n } } }`;

const BOARDS = `query ($kind: ArchiveKind, $after: String) {
  page: leaderboardArchives(kind: $kind, first: 5, after: $after) {
    nodes ${FIELDS}
    pageInfo { hasNextPage endCursor } } }`;

export async function readFrozenBoards(client: ServiceClient): Promise<readonly FrozenBoard[]> {
  const found: FrozenBoard[] = [];
  for (const kind of ARCHIVE_KINDS) found.push(...(await allNodes(client, [BOARDS, { kind }], BOARD)));
  return found;
}

const ONE = `query ($period: String!) { leaderboardArchive(period: $period) ${FIELDS} }`;
const ONE_FOUND = z.object({ leaderboardArchive: BOARD.nullable() });

/** A board is frozen right after its last round is decided; so often it is read again, a second apart. */
const MAX_POLLS = 10;

export async function withLateBoards(
  boards: readonly FrozenBoard[],
  client: ServiceClient,
  history: History,
): Promise<readonly FrozenBoard[]> {
  const known = periodsOf(boards);
  const late = finished(history).filter((period) => !known.has(period));
  const found: FrozenBoard[] = [];
  for (let polls = 0; late.length > 0 && polls < MAX_POLLS; polls += 1) {
    if (polls > 0) await client.wait(1);
    for (const period of late.splice(0)) {
      const { leaderboardArchive: board } = await client.query(ONE, { period }, ONE_FOUND);
      if (board === null) late.push(period);
      else found.push(board);
    }
  }
  return [...boards, ...found];
}

function periodsOf(boards: readonly FrozenBoard[]): ReadonlySet<string> {
  return new Set(boards.map(({ period }) => period));
}

function finished({ rounds, open }: History): readonly string[] {
  const running = namesOf(open);
  return [...namesOf(rounds.filter(({ status }) => status === 'resolved'))].filter((name) => !running.has(name));
}

function namesOf(rounds: readonly { readonly start_time: Date }[]): ReadonlySet<string> {
  return new Set(rounds.flatMap((round) => ARCHIVE_KINDS.map((kind) => periodOf(kind, round.start_time).name)));
}

export function checkAllFrozen(boards: readonly FrozenBoard[], history: History, findings: Findings): void {
  const known = periodsOf(boards);
  for (const period of finished(history)) {
    findings.holds(`board of ${period}`, { is_frozen: known.has(period) });
  }
}

/** Compares frozen boards with their rounds; partially read periods are skipped. */
export function checkFrozenBoards(boards: readonly FrozenBoard[], { byName }: Periods, findings: Findings): void {
  for (const board of boards) {
    const sums = byName.get(board.period);
    if (sums?.isPartial === true) continue;
    if (board.amendedRounds.length > 0) {
      findings.note(`board of ${board.period} was frozen before scores of its rounds were amended: not checked.`);
      continue;
    }
    checkFrozenBoard(board, sums ?? { rounds: new Set(), agents: new Map(), isPartial: false }, findings);
  }
}

function checkFrozenBoard(board: FrozenBoard, { rounds, agents }: PeriodSums, findings: Findings): void {
  const place = `board of ${board.period}`;
  findings.values(place, board, { rounds: rounds.size, agents: agents.size });
  const rows = ranked([...agents].map(([id, { sums, hours }]) => ({ ...sums, id, hours })))
    .slice(0, BOARD_ROWS)
    .map(({ id, rank, hours, ...sums }) => {
      const { brier, skill } = brierShown(sums);
      const [bestStreak, edge] = [longestStreak(hours), edgeShown(sums.edges)];
      return { agentId: id, rank, ...sumsShown(sums), bestStreak, brier, skill, edge };
    });
  findings.rows<{ agentId: number }>(place, [board.rankings, rows], ({ agentId }) => `agent ${agentId}`);
}
