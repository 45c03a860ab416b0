import { asNumber } from '../oracle/decimals.ts';
import { HOUR } from '../oracle/hours.ts';
import { asBody, at, bodyOf, found, listOf, numberOf, type Body } from '../oracle/json.ts';
import type { Ledger, ResolvedRound, Scored } from '../oracle/ledger.ts';
import { winRateOf } from '../oracle/scores.ts';
import { differences, listDifferences } from '../oracle/differences.ts';
import { CHARACTERS, graphql, type PlayedCharacters } from './played-characters.ts';
import type { Worth } from './worth-oracle.ts';

export interface Judged {
  readonly played: PlayedCharacters;
  readonly ledger: Ledger;
  /** By agent, in the order of the resolved rounds; null for one that it has not answered. */
  readonly worths: ReadonlyMap<string, readonly (Worth | null)[]>;
}

const FIELDS = `kind rounds agents rankings { rank agentId name totalPoints totalArenaPoints simPnlTotal winRate bestStreak
  totalCompetitions totalWins brier edge { mean n } }`;

/** What the frozen boards of these days say otherwise than the ledger does; a day that is not over must have none. */
export async function archiveFaults(days: readonly string[], judged: Judged): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const day of days) {
    const data = await graphql(judged.played.service, `{ leaderboardArchive(period: "${day}") { ${FIELDS} } }`);
    const last = found(judged.played.rounds.at(-1), 'a round').hour;
    const isOver = (last + 1) * HOUR >= Date.parse(`${day}T00:00:00Z`) + 24 * HOUR;
    if (!isOver) {
      if (data['leaderboardArchive'] !== null) faults.push(`${day} is not over, and frozen`);
      continue;
    }
    const shown = asBody(data['leaderboardArchive'] ?? undefined, `the board of ${day}`);
    faults.push(...dayFaults(day, shown, judged));
  }
  return faults;
}

function dayFaults(day: string, shown: Body, judged: Judged): readonly string[] {
  const from = Date.parse(`${day}T00:00:00Z`) / HOUR;
  const places = judged.ledger.resolved.flatMap(({ facts }, index) =>
    facts.hour >= from && facts.hour < from + 24 ? [index] : [],
  );
  const rows = CHARACTERS.flatMap((name) => rowOf(name, places, judged)).toSorted(
    (one, other) =>
      numberOf(other, 'totalPoints') - numberOf(one, 'totalPoints') ||
      numberOf(other, 'totalWins') - numberOf(one, 'totalWins') ||
      numberOf(one, 'agentId') - numberOf(other, 'agentId'),
  );
  const ranked = rows.map((row) => ({
    ...row,
    rank: 1 + rows.filter((other) => numberOf(other, 'totalPoints') > numberOf(row, 'totalPoints')).length,
  }));
  const rankings = listOf(shown, 'rankings').map((row, place) => ({ ...row, ...nearOf(row, ranked[place] ?? {}) }));
  return [
    ...differences(day, { kind: 'day', rounds: places.length, agents: rows.length }, shown),
    ...listDifferences(day, ranked, rankings),
  ];
}

/** The figures that are no whole numbers: those of `own` where they are as near as both ways of working them out get. */
function nearOf(row: Body, own: Body): Body {
  const brier = near(numberOf(row, 'brier'), Number(own['brier']), 1e-9);
  if (row['edge'] === null || own['edge'] == null) return { brier };
  const edge = bodyOf(row, 'edge');
  const mean = near(numberOf(edge, 'mean'), numberOf(bodyOf(own, 'edge'), 'mean'), 1e-6);
  return { brier, edge: { mean, n: numberOf(edge, 'n') } };
}

function near(shown: number, own: number, reach: number): number {
  return Math.abs(shown - own) <= reach ? own : shown;
}

/** The agent's row, if it has answered at all. */
function rowOf(name: (typeof CHARACTERS)[number], places: readonly number[], judged: Judged): readonly Body[] {
  const agentId = judged.played.ids[name];
  const own = places.flatMap((place) => scoredIn(at(judged.ledger.resolved, place), agentId));
  if (own.length === 0) return [];
  const worths = found(judged.worths.get(name), name);
  const sum = (figure: (one: Scored) => number): number => own.reduce((total, one) => total + figure(one), 0);
  const totalWins = own.filter(({ correct }) => correct).length;
  const brier = sum(({ confidence, correct }) => (confidence / 100 - Number(correct)) ** 2) / own.length;
  const edges = places.flatMap((place) => at(worths, place)?.edge ?? []);
  const edge = edges.reduce((total, one) => total + one, 0) / edges.length;
  const row = {
    agentId,
    name,
    totalPoints: sum(({ score, streakBonus }) => score + streakBonus),
    totalArenaPoints: sum(({ arenaPoints }) => arenaPoints),
    simPnlTotal: asNumber(
      own.reduce((total, { pnlCents }) => total + pnlCents, 0n),
      2,
    ),
    winRate: asNumber(winRateOf(totalWins, own.length), 2),
    bestStreak: longestRow(own),
    totalCompetitions: own.length,
    totalWins,
    brier,
    edge: edges.length === 0 ? null : { mean: edge, n: edges.length },
  };
  return [row];
}

function scoredIn({ scored }: ResolvedRound, agentId: number): readonly Scored[] {
  return scored.filter(({ agent }) => agent === agentId);
}

function longestRow(own: readonly Scored[]): number {
  let [longest, row] = [0, 0];
  for (const { correct } of own) {
    row = correct ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}
