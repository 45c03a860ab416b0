import { beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { afterResolution } from '../../../src/jobs/resolve/after-resolution.ts';
import { ask, dataOf } from '../../support/asking.ts';
import type { Fact, Played, PlayedField } from '../../support/played-field.ts';
import { brierOf, isRight, rounded } from '../../oracle/calibration.ts';

const ROWS = `period kind startTime endTime rounds agents rankings { rank agentId name totalPoints totalArenaPoints simPnlTotal
  winRate bestStreak totalCompetitions totalWins brier skill edge { mean n } }`;

interface Archived {
  readonly period: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly rounds: number;
  readonly agents: number;
  readonly rankings: readonly object[];
}

export function describeArchives(played: () => Played): void {
  describe('archives', () => {
    let field: PlayedField;
    let facts: readonly Fact[];
    let archives: readonly Archived[];

    beforeAll(async () => {
      ({ field, facts } = played());
      archives = await allOf(field);
    });

    test('archives exist for every ended period with a resolved round', () => {
      const now = field.service.clock.now();
      const ends = facts.filter(({ outcome }) => outcome !== null).map(({ end }) => end);
      const expected = new Set(ends.flatMap((end) => periodsOf(end)).filter((period) => endOf(period) <= now));
      expect(new Set(archives.map(({ period }) => period))).toEqual(expected);
      expect([...expected].toSorted()).toEqual(
        expect.arrayContaining(['2026-01', '2026-01-02', '2026-W01', '2026-W04']),
      );
    });

    test('archives equal the sums of their rounds’ scores', async () => {
      for (const { period, startTime, endTime, rounds, agents, rankings } of archives) {
        const [from, to] = [new Date(startTime), new Date(endTime)];
        const inside = facts.filter(({ end, outcome }) => outcome !== null && end > from && end <= to);
        expect({ period, rounds }).toEqual({ period, rounds: await resolvedIn(field, from, to) });
        expect({ period, agents }).toEqual({ period, agents: new Set(inside.map(({ agentId }) => agentId)).size });
        expect(rounded({ period, rankings })).toEqual(rounded({ period, rankings: boardByHand(inside) }));
      }
    });

    test('REST returns a single archive', async () => {
      const { status, body } = await field.service.request('GET', '/api/leaderboard/archive/2026-W04');
      expect(status).toBe(200);
      expect(body).toMatchObject({ period: '2026-W04', kind: 'week', starts_at: '2026-01-19T00:00:00.000Z' });
      const archived = archives.find(({ period }) => period === '2026-W04');
      expect(body.rankings[0]).toMatchObject({ rank: 1, name: expect.any(String), total_points: expect.any(Number) });
      expect(body.rankings).toHaveLength(archived?.rankings.length ?? -1);
    });

    test('a running, unplayed or invalid period has no archive', async () => {
      for (const period of ['2026-02', '2026-W05', '2024-02-29'])
        expect(await dataOf(field.service, `{ leaderboardArchive(period: "${period}") { period } }`)).toEqual({
          leaderboardArchive: null,
        });
      expect((await field.service.request('GET', '/api/leaderboard/archive/2026-02')).status).toBe(404);
      for (const period of ['2026-02-30', '2025-W53', '2026-W00', '2026-13', 'weekly', '2026-1-1']) {
        const { errors } = await ask(field.service, `{ leaderboardArchive(period: "${period}") { period } }`);
        expect(errors[0]?.message).toBe(
          `period must be a UTC day such as 2026-11-20, an ISO week such as 2026-W47 or a month such as 2026-11 (got "${period}").`,
        );
      }
    });

    test('archives cannot be changed, and are written once', async () => {
      const em = field.service.newEm();
      for (const change of [
        sql`update archives set rankings = '[]'`,
        sql`delete from archives`,
        sql`truncate archives`,
      ])
        await expect(change.execute(em.getKysely())).rejects.toThrow('archives is only ever added to');
      await Promise.all([1, 2].map(() => afterResolution(field.service, field.service.clock.now())));
      expect(await allOf(field)).toEqual(archives);
    });

    test('missing archives are written later with the same content', async () => {
      const em = field.service.newEm();
      await sql`alter table archives disable trigger archives_kept`.execute(em.getKysely());
      await sql`delete from archives`.execute(em.getKysely());
      await sql`alter table archives enable trigger archives_kept`.execute(em.getKysely());
      await afterResolution(field.service, field.service.clock.now());
      expect(await allOf(field)).toEqual(archives);
    });
  });
}

async function allOf(field: PlayedField): Promise<readonly Archived[]> {
  const pages = ['day', 'week', 'month'].map(async (kind) => {
    const query = `{ leaderboardArchives(kind: ${kind}, first: 100) { nodes { period } pageInfo { hasNextPage } } }`;
    const { leaderboardArchives: page } = await dataOf(field.service, query);
    expect(page.pageInfo.hasNextPage).toBe(false);
    return Promise.all(page.nodes.map(({ period }: { period: string }) => archiveOf(field, period)));
  });
  return (await Promise.all(pages)).flat();
}

async function archiveOf(field: PlayedField, period: string): Promise<Archived> {
  return (await dataOf(field.service, `{ leaderboardArchive(period: "${period}") { ${ROWS} } }`)).leaderboardArchive;
}

/** Those that nobody predicted, too. */
async function resolvedIn(field: PlayedField, from: Date, to: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from rounds where status = 'resolved' and end_time > ${from} and end_time <= ${to}`.execute(
    field.service.newEm().getKysely(),
  );
  return rows[0]?.n ?? 0;
}

const DAY_MS = 86_400_000;

/** The day, week and month of a round, by its last instant. */
function periodsOf(end: Date): readonly string[] {
  const last = new Date(end.getTime() - 1);
  return [last.toISOString().slice(0, 10), weekOf(last), last.toISOString().slice(0, 7)];
}

/** By its Thursday: the number of that Thursday in its year. */
function weekOf(time: Date): string {
  const thursday = new Date(time.getTime() + (4 - (time.getUTCDay() || 7)) * DAY_MS);
  const days = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY_MS);
  return `${thursday.getUTCFullYear()}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** The first instant that is not in it, looked for from the beginning of the year. */
function endOf(period: string): Date {
  let day = Date.UTC(2026, 0, 1);
  const isIn = (time: number): boolean => periodsOf(new Date(time + 1)).includes(period);
  while (!isIn(day)) day += DAY_MS;
  while (isIn(day)) day += DAY_MS;
  return new Date(day);
}

function boardByHand(facts: readonly Fact[]): readonly object[] {
  const rows = [...Map.groupBy(facts, ({ agentId }) => agentId)].map(([agentId, own]) => {
    const sum = (of: (fact: Fact) => number): number => own.reduce((total, fact) => total + of(fact), 0);
    const wins = own.filter(({ prediction, outcome }) => prediction === outcome).length;
    const brier = sum((fact) => brierOf(fact)) / own.length;
    const reference = sum((fact) => (1 / fact.choices.length - isRight(fact)) ** 2) / own.length;
    return {
      agentId,
      name: `Agent-${agentId}`,
      totalPoints: sum(({ score, streakBonus }) => (score ?? 0) + (streakBonus ?? 0)),
      totalArenaPoints: sum(({ place }) => ((place ?? 99) <= 10 ? 200 + (place === 1 ? 500 : 0) : 0)),
      simPnlTotal: Number(sum(({ pnl }) => pnl ?? 0).toFixed(2)),
      winRate: Math.round((10_000 * wins) / own.length) / 100,
      bestStreak: longestRun(own),
      totalCompetitions: own.length,
      totalWins: wins,
      brier,
      skill: own.length < 20 ? null : 1 - brier / reference,
      // Exact: a mean over 32 can lie in the middle between two numbers of ten decimals.
      edge: { mean: sum(({ edge }) => Math.round((edge ?? 0) * 1e6)) / 1e6 / own.length, n: own.length },
    };
  });
  rows.sort((a, b) => b.totalPoints - a.totalPoints || b.totalWins - a.totalWins || a.agentId - b.agentId);
  return rows.map((row) => ({
    rank: 1 + rows.filter(({ totalPoints }) => totalPoints > row.totalPoints).length,
    ...row,
  }));
}

function longestRun(facts: readonly Fact[]): number {
  let [best, run] = [0, 0];
  for (const fact of facts.toSorted((a, b) => a.end.getTime() - b.end.getTime())) {
    run = isRight(fact) === 1 ? run + 1 : 0;
    best = Math.max(best, run);
  }
  return best;
}
