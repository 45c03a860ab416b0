import { z } from 'zod';

import { ARCHIVE_KINDS } from '../../src/rules/archive-periods.ts';
import { ranked } from '../../src/rules/ranking.ts';
import { brierShown, sumsShown } from './agent-figures.ts';
import type { Findings } from './findings.ts';
import { longestStreak, type Periods, type PeriodSums } from './period-sums.ts';
import type { ServiceClient } from './service-client.ts';

const BOARD_ROWS = 100;

const ROW = z.intersection(z.object({ agentId: z.int() }), z.record(z.string(), z.unknown()));
const ARCHIVE = z.object({ period: z.string(), rounds: z.int(), agents: z.int(), rankings: z.array(ROW) });
const PAGE = z.object({
  leaderboardArchives: z.object({
    nodes: z.array(ARCHIVE),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

type Archive = z.infer<typeof ARCHIVE>;

const ARCHIVES = `query ($kind: ArchiveKind, $after: String) {
  leaderboardArchives(kind: $kind, first: 5, after: $after) {
    nodes { period rounds agents rankings { agentId rank totalPoints totalArenaPoints totalCompetitions totalWins winRate
      simPnlTotal bestStreak brier skill } }
    pageInfo { hasNextPage endCursor } } }`;

/** Every frozen board. */
export async function readArchives(client: ServiceClient): Promise<readonly Archive[]> {
  const found: Archive[] = [];
  for (const kind of ARCHIVE_KINDS) {
    for (let after: string | null = null, more = true; more;) {
      const { leaderboardArchives: page }: z.infer<typeof PAGE> = await client.query(ARCHIVES, { kind, after }, PAGE);
      found.push(...page.nodes);
      [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
    }
  }
  return found;
}

/** Compares each frozen board with what the rounds of its period came to; those that were not read whole are left out. */
export function checkArchives(archives: readonly Archive[], { byName }: Periods, findings: Findings): void {
  for (const archive of archives) {
    const sums = byName.get(archive.period);
    if (sums?.isPartial === true) continue;
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
    const recomputed = { rank, ...sumsShown(record.sums), bestStreak: longestStreak(record), brier, skill };
    findings.values(`${place}, agent ${id}`, published, recomputed);
  }
}
