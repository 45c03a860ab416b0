import { PERIODS, type Period, rankingsOf, totalsOfAgent } from '../oracle/boards.ts';
import type { Candles } from '../oracle/candle-files.ts';
import { asNumber, roundedQuotient } from '../oracle/decimals.ts';
import { difference, differences, listDifferences } from '../oracle/differences.ts';
import { asBody, bodyOf, found, listOf, numberOf, textOf, type Body, type Json } from '../oracle/json.ts';
import { type Ledger, ledgerOf, NEWCOMER, type Scored } from '../oracle/ledger.ts';
import { factsOf, type RoundFacts } from '../oracle/round-facts.ts';
import { winRateOf } from '../oracle/scores.ts';
import { TIERS } from '../oracle/tiers.ts';
import { dataOf } from '../support/asking.ts';
import type { Player } from '../support/agents.ts';
import { expectedEntry, expectedResult, expectedRound } from './expected-answers.ts';
import { boardsOf, type Moment, type PlayedDays } from './played-days.ts';

/** What the oracle has against the answers to everybody, and to the agents about themselves. */
export interface Judgement {
  readonly ledger: Ledger;
  readonly differences: readonly string[];
}

const RECENT = 20;

/** Compares every public answer about rounds, agents, boards and stats with what the candles and the predictions come to. */
export async function judge(played: PlayedDays, candles: Candles): Promise<Judgement> {
  const { service, questions, accepted } = played;
  const get = async (path: string, key?: string): Promise<Body> =>
    asBody((await service.request('GET', path, { key })).body, path);
  const rounds = questions.map(factsOf);
  const said = new Map<number, number[]>();
  const edges = new Map<number, Json | undefined>();
  for (const { id } of rounds) {
    const { round } = await dataOf(
      service,
      `{ round(id: ${id}) { results(limit: 50) { id edge reference { probability } } } }`,
    );
    for (const result of listOf(asBody(round, 'round'), 'results')) {
      said.set(
        numberOf(result, 'id'),
        listOf(result, 'reference').map((one) => numberOf(one, 'probability')),
      );
      edges.set(numberOf(result, 'id'), result['edge']);
    }
  }
  const ledger = ledgerOf(rounds, { accepted, said }, candles);
  const scored = new Map(ledger.resolved.flatMap((round) => round.scored).map((one) => [one.id, one]));
  const expected: Expected = { played, ledger, scored, candles };
  const wrong = [...scored.values()].flatMap(({ id, edge }) =>
    difference(`edge of prediction ${id}`, edge === null ? null : asNumber(edge, 6), edges.get(id)),
  );
  for (const [place, facts] of rounds.entries()) {
    const path = `/api/rounds/${facts.id}`;
    const { results, entries } = {
      results: await get(`${path}/results?limit=1000`),
      entries: await get(`${path}/entries?limit=1000`),
    };
    wrong.push(...roundDifferences(expected, { facts, question: questions[place] ?? {}, results, entries }));
  }
  for (const player of played.players) {
    const [shown, own] = [await get(`/api/agents/${player.id}`), await get('/api/me', player.key)];
    wrong.push(...agentDifferences(expected, player, { shown, own }));
  }
  const names = new Map(played.players.map(({ id, name }) => [id, name]));
  wrong.push(
    ...(await boardsOf(service)).flatMap((board) =>
      boardDifferences(board, { ledger, names, counts: [ledger.resolved.length] }),
    ),
  );
  wrong.push(...played.moments.flatMap((moment) => momentDifferences(moment, ledger, names)));
  wrong.push(...differences('stats', expectedStats(expected, names), await get('/api/stats')));
  return { ledger, differences: wrong };
}

interface Expected {
  readonly played: PlayedDays;
  readonly ledger: Ledger;
  readonly scored: ReadonlyMap<number, Scored>;
  readonly candles: Candles;
}

interface ShownRound {
  readonly facts: RoundFacts;
  readonly question: Body;
  readonly results: Body;
  readonly entries: Body;
}

/** Outcome, prices, scores and the predictions themselves; and that the question is the one that was asked. */
function roundDifferences({ ledger, scored, candles }: Expected, shown: ShownRound): string[] {
  const { facts, results, entries } = shown;
  const { status: _, total_entries: __, ...question } = shown.question;
  const accepted = ledger.accepted.get(facts.id) ?? [];
  const [byId, bySubmission] = [listOf(results, 'predictions').toSorted(inOrder), listOf(entries, 'entries')];
  const scores = listOf(results, 'predictions').map((prediction) => prediction['score'] ?? null);
  return [
    ...differences(
      `round ${facts.id}`,
      { ...question, ...expectedRound(facts, ledger, candles) },
      bodyOf(results, 'round'),
    ),
    ...listDifferences(
      `results of round ${facts.id}`,
      accepted.toSorted(inOrder).map((one) => expectedResult(one, scored)),
      byId,
    ),
    ...listDifferences(
      `entries of round ${facts.id}`,
      accepted.map((one) => expectedEntry(one, scored)),
      bySubmission,
    ),
    ...difference(
      `the order of results of round ${facts.id}`,
      scores.toSorted((one, other) => Number(other) - Number(one)),
      scores,
    ),
  ];
}

function inOrder(one: Body, other: Body): number {
  return numberOf(one, 'id') - numberOf(other, 'id');
}

/** Both profiles of an agent: the own one has more. */
function agentDifferences(
  { played, ledger, scored }: Expected,
  { id, name }: Player,
  { shown, own }: { readonly shown: Body; readonly own: Body },
): string[] {
  const totals = totalsOfAgent(ledger, id, 'alltime');
  const career = ledger.resolved.at(-1)?.careers.get(id) ?? NEWCOMER;
  const usd = (period: Period): number => asNumber(totalsOfAgent(ledger, id, period).pnlCents, 2);
  const winRate = asNumber(winRateOf(totals.wins, totals.competitions), 2);
  const common = {
    id,
    name,
    total_points: totals.points,
    total_arena_points: totals.arenaPoints,
    total_competitions: totals.competitions,
    total_wins: totals.wins,
    credential_tier: career.tier,
    current_streak: career.streak,
    best_streak: career.bestStreak,
    sim_pnl_total: usd('alltime'),
    sim_pnl_30d: usd('monthly'),
  };
  const mine = played.accepted.filter((one) => one['agent_id'] === id);
  const isVoid = (round: number): boolean => ledger.verdicts.get(round)?.status === 'void';
  const counted = mine.filter((one) => !isVoid(numberOf(one, 'round_id'))).length;
  const privately = { win_rate: winRate, rounds_competed: counted, sim_pnl_7d: usd('weekly'), mode: 'compete' };
  const recent = mine
    .toReversed()
    .slice(0, RECENT)
    .map((one) => {
      const { agent_name: _, id: __, ...entry } = expectedEntry(one, scored);
      return { ...entry, round_id: numberOf(one, 'round_id') };
    });
  return [
    ...differences(`public profile of ${name}`, common, bodyOf(shown, 'agent')),
    ...differences(`own profile of ${name}`, { ...common, ...privately }, bodyOf(own, 'agent')),
    ...difference(`win rate of ${name}`, winRate, shown['win_rate']),
    ...listDifferences(`public recent predictions of ${name}`, recent, listOf(shown, 'recent_predictions')),
    ...listDifferences(`own recent predictions of ${name}`, recent, listOf(own, 'recent_predictions')),
  ];
}

interface Boards {
  readonly ledger: Ledger;
  readonly names: ReadonlyMap<number, string>;
  /** The board shows the state after one of these numbers of resolved rounds. */
  readonly counts: readonly number[];
}

function boardDifferences(board: Body, { ledger, names, counts }: Boards): string[] {
  const period = found(
    PERIODS.find((one) => one === textOf(board, 'period')),
    'its period',
  );
  const unlike = counts.map((count) =>
    listDifferences(
      `${period} board after ${count} rounds`,
      rankingsOf(ledger, names, count, period),
      listOf(board, 'rankings'),
    ),
  );
  return unlike.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** Boards that are read while an hour turns show the state before or after it, and none goes back behind another. */
function momentDifferences({ roundId, boards }: Moment, ledger: Ledger, names: Boards['names']): string[] {
  const after = ledger.resolved.filter(({ facts }) => facts.id <= roundId).length;
  const counts = [after, after - 1].filter((count) => count >= 0);
  const times = boards.map((board) => textOf(board, 'updated_at'));
  return [
    ...boards.flatMap((board) => boardDifferences(board, { ledger, names, counts })),
    ...difference(`times of boards at round ${roundId}`, times.toSorted(), times),
  ];
}

function expectedStats({ played, ledger }: Expected, names: Boards['names']): Body {
  const { accepted, players, open } = played;
  const top = rankingsOf(ledger, names, ledger.resolved.length, 'alltime')[0];
  const careers = ledger.resolved.at(-1)?.careers;
  const tiers = players.map(({ id }) => (careers?.get(id) ?? NEWCOMER).tier);
  const confidence = accepted.reduce((sum, prediction) => sum + BigInt(numberOf(prediction, 'confidence')), 0n);
  return {
    total_agents: players.length,
    total_competitions: ledger.resolved.length,
    total_predictions: accepted.length,
    active_round: true,
    active_round_id: numberOf(open, 'id'),
    active_entries: accepted.filter((prediction) => prediction['round_id'] === open['id']).length,
    top_agent: top?.['name'] ?? null,
    top_agent_credential: top?.['credential_tier'] ?? null,
    avg_confidence: asNumber(roundedQuotient(100n * confidence, BigInt(accepted.length)), 2),
    credential_holders: Object.fromEntries(TIERS.map((tier) => [tier, tiers.filter((one) => one === tier).length])),
  };
}
