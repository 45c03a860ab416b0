import { z } from 'zod';

import { ARCHIVE_KINDS, periodOf } from '../../rules/windows.ts';
import { ranked } from '../../rules/ranking.ts';
import { BOARD_ROWS, brierShown, sumsShown } from './agent-figures.ts';
import { archivedEdge } from './edge-sums.ts';
import type { Findings } from '../findings.ts';
import type { History } from '../published/history.ts';
import { INSTANT } from '../published/instants.ts';
import { longestStreak, type Periods, type PeriodSums } from './period-sums.ts';
import { pauseFrom, type RetryOptions } from '../published/retries.ts';
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
const ARCHIVE = z.object({
  period: z.string(),
  frozenAt: INSTANT,
  rounds: z.int(),
  agents: z.int(),
  amendedRounds: z.array(z.int()),
  rankings: z.array(ROW),
});

export type Archive = z.infer<typeof ARCHIVE>;

const BOARD = `{ period frozenAt rounds agents amendedRounds rankings { agentId rank totalPoints totalArenaPoints totalCompetitions totalWins
  winRate simPnlTotal bestStreak brier skill edge { mean low high n } } }`;

const ARCHIVES = `query ($kind: ArchiveKind, $after: String) {
  page: leaderboardArchives(kind: $kind, first: 5, after: $after) {
    nodes ${BOARD}
    pageInfo { hasNextPage endCursor } } }`;

export async function readArchives(client: ServiceClient): Promise<readonly Archive[]> {
  const found: Archive[] = [];
  for (const kind of ARCHIVE_KINDS) found.push(...(await allNodes(client, [ARCHIVES, { kind }], ARCHIVE)));
  return found;
}

const ONE = `query ($period: String!) { leaderboardArchive(period: $period) ${BOARD} }`;
const ONE_FOUND = z.object({ leaderboardArchive: ARCHIVE.nullable() });

/** A board is frozen right after its last round is decided; so often it is read again, a second apart. */
const MAX_POLLS = 10;

export async function withLateArchives(
  archives: readonly Archive[],
  { client, history, options }: { client: ServiceClient; history: History; options: RetryOptions },
): Promise<readonly Archive[]> {
  const wait = pauseFrom(options);
  const known = namesAmong(archives);
  const late = finished(history).filter((period) => !known.has(period));
  const found: Archive[] = [];
  for (let polls = 0; late.length > 0 && polls < MAX_POLLS; polls += 1) {
    if (polls > 0) await wait(1);
    for (const period of late.splice(0)) {
      const { leaderboardArchive: archive } = await client.query(ONE, { period }, ONE_FOUND);
      if (archive === null) late.push(period);
      else found.push(archive);
    }
  }
  return [...archives, ...found];
}

function namesAmong(archives: readonly Archive[]): ReadonlySet<string> {
  return new Set(archives.map(({ period }) => period));
}

function finished({ rounds, open }: History): readonly string[] {
  const resolved = rounds.filter(({ status }) => status === 'resolved');
  const running = new Set(open.flatMap(({ start_time: start }) => namesOf(start)));
  const names = new Set(resolved.flatMap(({ start_time: start }) => namesOf(start)));
  return [...names].filter((name) => !running.has(name));
}

function namesOf(start: Date): readonly string[] {
  return ARCHIVE_KINDS.map((kind) => periodOf(kind, start).name);
}

export function checkFrozen(archives: readonly Archive[], history: History, findings: Findings): void {
  const known = namesAmong(archives);
  for (const period of finished(history)) {
    findings.holds(`board of ${period}`, { is_frozen: known.has(period) });
  }
}

/** Compares frozen boards with their rounds; partially read periods are skipped. */
export function checkArchives(archives: readonly Archive[], { byName }: Periods, findings: Findings): void {
  for (const archive of archives) {
    const sums = byName.get(archive.period);
    if (sums?.isPartial === true) continue;
    if (archive.amendedRounds.length > 0) {
      findings.note(`board of ${archive.period} was frozen before scores of its rounds were amended: not checked.`);
      continue;
    }
    checkArchive(archive, sums ?? { rounds: new Set(), agents: new Map(), isPartial: false }, findings);
  }
}

function checkArchive(archive: Archive, { rounds, agents }: PeriodSums, findings: Findings): void {
  const place = `board of ${archive.period}`;
  findings.values(place, archive, { rounds: rounds.size, agents: agents.size });
  const rows = ranked(
    [...agents].map(([id, record]) => ({ id, record, points: record.sums.points, wins: record.sums.wins })),
  ).slice(0, BOARD_ROWS);
  findings.order(
    place,
    archive.rankings.map(({ agentId }) => agentId),
    rows.map(({ id }) => id),
  );
  for (const { id, rank, record } of rows) {
    const published = archive.rankings.find(({ agentId }) => agentId === id);
    if (published === undefined) continue;
    const { brier, skill } = brierShown(record.sums);
    const edge = archivedEdge(record.sums.edges);
    const recomputed = { rank, ...sumsShown(record.sums), bestStreak: longestStreak(record), brier, skill, edge };
    findings.values(`${place}, agent ${id}`, published, recomputed);
  }
}
