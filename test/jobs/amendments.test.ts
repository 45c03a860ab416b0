import { expect, test } from '@jest/globals';

import { Round } from '../../src/entities/round.ts';
import { kindBoards } from '../../src/jobs/boards/kind-boards.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { applyAmendment } from '../../src/jobs/resolve/apply-amendment.ts';
import type { AmendableRound } from '../../src/jobs/resolve/decisions.ts';
import { lockRound } from '../../src/jobs/ledger/locks.ts';
import { KINDS } from '../../src/rules/kinds.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import { addAgents, type Arena, LOGGING } from '../support/arena.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { sharedArena } from '../support/shared.ts';
import { endOf, insertDecided, someReferences } from './inserted-round.ts';
import { type PlannedRound, randomHistory } from './random-history.ts';

/* An arena that has amended its wrong decisions, beside one that has decided rightly at first. */

const [amended, rightly] = [sharedArena(), sharedArena()];

const ROUNDS = Number(process.env['AMENDED_ROUNDS'] ?? 250);
const AMENDMENTS = ROUNDS / 25;
const MINUTE = 15;
const EXPERTS = 9;

type Answer = string | null;

interface Mistake {
  readonly wrong: Answer;
  /** After how many more decisions it is amended. */
  readonly after: number;
}

/** What is decided wrongly, by the place of the round: another answer, none in place of one, one in place of none. */
function mistakesIn(rounds: readonly PlannedRound[], random: Seeded): ReadonlyMap<number, Mistake> {
  const mistakes = new Map<number, Mistake>();
  const voids = rounds.flatMap(({ answer }, place) => (answer === null ? [place] : []));
  while (mistakes.size < AMENDMENTS) {
    const place = mistakes.size < 3 ? random.pick(voids) : random.between(0, rounds.length - 1);
    const { answer = null, choices = [], inHour = 0 } = rounds[place] ?? {};
    const wrong: readonly Answer[] = [null, ...choices].filter((choice) => choice !== answer);
    const after = mistakes.size === 5 ? 0 : random.between(0, 100);
    const then = rounds[Math.min(place + after, rounds.length - 1)]?.inHour ?? 0;
    if (then - inHour <= 7 * 24) mistakes.set(place, { wrong: random.pick(wrong), after });
  }
  // The newest round, whose decision moves the windows.
  mistakes.set(rounds.length - 1, { wrong: null, after: 0 });
  return mistakes;
}

/** The same round in which some agents have left answers to what they have standing, set before the hour or within it. */
function withStanding(round: PlannedRound, place: number): PlannedRound {
  const predictions = round.predictions?.map((one) => {
    const setMs = [-1, 0, 600_000][(place + one.agentId) % 9];
    return setMs === undefined ? one : { ...one, setMs, afterMs: 3_000_000 };
  });
  return predictions === undefined ? round : { ...round, predictions };
}

async function amend({ newEm }: Arena, id: number, { answer, inHour = 0, choices = [] }: PlannedRound): Promise<void> {
  await newEm().transactional(async (transaction) => {
    const locked = await lockRound(transaction, id, endOf(inHour));
    const round = await transaction.findOneOrFail(Round, { id });
    if (locked === null || !isDecided(round)) throw new Error(`Round ${id} is not decided`);
    await applyAmendment(transaction, round, {
      decision: answer === null ? { outcome: null, voidReason: 'tie' } : { outcome: answer, voidReason: null },
      reason: 'It was wrong',
      verdict: null,
      references: someReferences(choices),
      amendedAt: locked.decidedAt,
      events: [],
      deps: LOGGING,
    });
  });
}

function isDecided(round: Round): round is AmendableRound {
  return round.decidedAt != null;
}

async function play(arena: Arena, mistakes: ReadonlyMap<number, Mistake>, at: readonly PlannedRound[]): Promise<void> {
  const random = seeded(7);
  const due = new Map<number, { readonly id: number; readonly round: PlannedRound }[]>();
  for (const [place, round] of at.entries()) {
    const mistake = mistakes.get(place);
    const references = someReferences(round.choices ?? []);
    const forecast = forecastOf(round, random);
    const { id } = await insertDecided(
      arena,
      { ...round, assets: [random.pick(['BTC', 'ETH'])] },
      { ...round, answer: mistake === undefined ? round.answer : mistake.wrong, references, beforeDecided: forecast },
    );
    if (mistake !== undefined) {
      const then = Math.min(place + mistake.after, at.length - 1);
      due.set(then, [...(due.get(then) ?? []), { id, round }]);
    }
    // What follows from decisions has been done before some amendments, and not before others.
    if (place % 40 === 0) await afterResolution(arena, endOf(round.inHour ?? 0));
    for (const one of due.get(place) ?? []) await amend(arena, one.id, { ...one.round, inHour: round.inHour ?? 0 });
  }
  await afterResolution(arena, endOf(at.at(-1)?.inHour ?? 0));
}

/** A recorded forecast that no agent's record has made. */
function forecastOf({ choices = [] }: PlannedRound, random: Seeded) {
  const vector = (): number[] => {
    const parts = choices.map(() => 0.1 + random.next());
    const sum = parts.reduce((all, part) => all + part, 0);
    return parts.map((part) => part / sum);
  };
  const said = Array.from({ length: EXPERTS }, vector).flat();
  const probabilities = vector();
  return async (roundId: number, { query }: Pick<Arena, 'query'>) => {
    // The round was never active.
    await query('set session_replication_role = replica');
    await query(
      `insert into round_forecasts (round_id, minute, recorded_at, entries, decided_until, unpriced, probabilities, said, weights)
       select id, ${MINUTE}, start_time, 1, start_time, '{}', $2, $3, $4 from rounds where id = $1`,
      [roundId, probabilities, said, said.slice(0, EXPERTS)],
    );
    await query('reset session_replication_role');
  };
}

/** Score by score what the first decision gave and what amendments have added. */
const SUMMED = `
  select s.round_id, s.agent_id, s.confidence, ${[
    'place',
    'score',
    'streak_bonus',
    'arena_points',
    'pnl_usd',
    'brier',
    'reference_brier',
  ]
    .map((name) => `(s.${name} + coalesce(sum(c.${name}), 0))::text as ${name}`)
    .join(', ')}, s.is_correct::int + coalesce(sum(c.is_correct), 0)::int as is_correct,
    ${['edge_millionths', 'contribution_billionths', 'peer_millionths', 'standing_edge_millionths'].map((name) => `(s.${name} + coalesce(sum(c.${name}), 0))::text as ${name}`).join(', ')}
  from scores s left join score_corrections c on c.round_id = s.round_id and c.agent_id = s.agent_id
  group by s.round_id, s.place having 1 + coalesce(sum(c.counted), 0) = 1 order by 1, 2`;

const FIELD = 'asset, question_type, choice_count, confidence, is_correct, daily_n, weekly_n, monthly_n, alltime_n';

/** What must be the same, without the edge over the arena: forecasts are not made anew, so that of later rounds differs. */
const FACTS: Readonly<Record<string, string>> = {
  rounds:
    'select id, status, outcome, resolution_value, void_reason, difficulty_millionths, kind_windows from rounds order by id',
  scores: SUMMED,
  standings: `select to_jsonb(s) from standings s where alltime_competitions > 0 order by agent_id`,
  places: 'select * from board_places order by 1, 2',
  counts: 'select * from board_counts where agents > 0 order by 1, 2, 3',
  field: `select ${FIELD} from field_tallies where alltime_n > 0 order by 1, 2, 3, 4, 5`,
  leads: `select lead, ${FIELD} from lead_tallies where alltime_n > 0 order by 1, 2, 3, 4, 5, 6`,
  days: 'select to_jsonb(d) from daily_tallies d order by first_dimension, second_dimension, day, first_value, second_value',
  kindBoards: `select kind, period, order_by, min_rounds, places from kind_boards where order_by <> 'ARENA' order by 1, 2, 3, 4`,
  boards: `select period, order_by, min_rounds, round_id, resolved_rounds, places, sure_places from ordered_boards
    where order_by <> 'ARENA' order by 1, 2, 3`,
  recent: 'select * from recent_points order by 1',
  platform: `select newest_resolved_end, resolved_rounds, ordered_rounds, decided_predictions, decided_confidence_sum, skilled from platform`,
  reliability: 'select * from forecast_reliability order by 1, 2, 3',
};

/** Without what follows from edges over the arena. */
function withoutArena(facts: unknown): unknown {
  return JSON.parse(JSON.stringify(facts), (key, value: unknown) => (/arena_?edge/i.test(key) ? undefined : value));
}

async function factsOf({ query, newEm }: Arena) {
  const makeBoards = kindBoards({ newEm, newLongEm: newEm, announce: () => {} });
  for (const kind of KINDS) for (const period of PERIODS) await makeBoards({ kind, period });
  const found: Record<string, unknown> = {};
  for (const [name, statement] of Object.entries(FACTS)) found[name] = withoutArena(await query(statement));
  return found;
}

async function totalsOf({ query }: Arena) {
  const [newest] = await query<{ totals: number[] }>(
    'select totals from forecast_scores order by decided_at desc limit 1',
  );
  return newest?.totals ?? [];
}

function forecastSumsOf({ query }: Arena) {
  return query<{ kind: string; rounds: number; bins: unknown; brier: number; square: number }>(
    `select kind, (sums ->> 'rounds')::int as rounds, (sums ->> 'brier')::float8 as brier, (sums #>> '{edge,squareSum}')::float8 as square,
       (select jsonb_agg(one order by one::text) from jsonb_array_elements(bins) one) as bins
     from forecast_sums order by 1, minute`,
  );
}

test(`${AMENDMENTS} amendments among ${ROUNDS} rounds give the data of correct first decisions`, async () => {
  const { agentCount, rounds } = randomHistory(20_261_124);
  const history = rounds.slice(0, ROUNDS).map(withStanding);
  const mistakes = mistakesIn(history, seeded(3));
  for (const arena of [amended, rightly]) await addAgents(arena, agentCount);
  await play(amended, mistakes, history);
  await play(rightly, new Map(), history);
  const [found, expected] = [await factsOf(amended), await factsOf(rightly)];
  for (const name of Object.keys(FACTS)) expect({ [name]: found[name] }).toEqual({ [name]: expected[name] });
  // What is stored of kinds lacks eight rounds at most.
  const stored = await amended.query<{
    lacks: number;
  }>(`select (select count(*)::int from rounds r where r.status = 'resolved'
    and k.kind in (r.question_type, r.subject) and r.decided_at > k.as_of) as lacks from kind_sums k where k.period = 'alltime'`);
  expect(stored).not.toHaveLength(0);
  expect(stored.filter(({ lacks }) => lacks > 8)).toEqual([]);
  const [sums, wanted] = [await forecastSumsOf(amended), await forecastSumsOf(rightly)];
  expect(sums.map(({ kind }) => kind)).toEqual(wanted.map(({ kind }) => kind));
  expect(sums.length).toBeGreaterThan(1);
  for (const [place, one] of sums.entries()) {
    const other = wanted[place];
    expect([one.rounds, one.bins]).toEqual([other?.rounds, other?.bins]);
    expect(one.brier).toBeCloseTo(other?.brier ?? -1, 9);
    expect(one.square).toBeCloseTo(other?.square ?? -1, 9);
  }
  const [totals, others] = [await totalsOf(amended), await totalsOf(rightly)];
  expect(totals).toHaveLength(EXPERTS);
  for (const [place, total] of totals.entries()) expect(total).toBeCloseTo(others[place] ?? 0, 9);
  expect(await amended.query('select from amendments')).toHaveLength(mistakes.size);
  expect(await amended.query('select from score_corrections where streak_bonus <> 0')).not.toHaveLength(0);
  const standing = 'select from score_corrections c join scores s using (round_id, agent_id) where s.standing';
  expect(await amended.query(standing)).not.toHaveLength(0);
  // The sums of edges over the arena are those of the scores in force.
  expect(
    await amended.query(`
      select t.agent_id from standings t join (
        select s.agent_id, sum(s.arena_edge_millionths + coalesce(c.arena_edge_millionths, 0)) as sum
        from scores s left join (
          select round_id, agent_id, sum(arena_edge_millionths) as arena_edge_millionths, 1 + sum(counted) as counted
          from score_corrections group by 1, 2
        ) c on c.round_id = s.round_id and c.agent_id = s.agent_id
        where coalesce(c.counted, 1) = 1 group by 1
      ) e on e.agent_id = t.agent_id and coalesce(e.sum, 0) <> t.alltime_arena_edge_sum`),
  ).toEqual([]);
});

test.each([
  ['the newest round keeps the scores that re-enter the windows', 1],
  ['the only resolved round leaves no board', 0],
])('an amendment to void of %s', async (_, place) => {
  const choices = ['YES', 'NO'];
  const round = (hour: number, answer: Answer): PlannedRound => ({
    hour,
    inHour: hour,
    checked: false,
    choices,
    answer,
    predictions: [
      { agentId: 1, prediction: 'YES', confidence: 70 },
      { agentId: 2, prediction: 'NO', confidence: 60 },
    ],
  });
  for (const arena of [amended, rightly]) await addAgents(arena, 2);
  // A month and an hour apart.
  const rounds = [round(0, 'YES'), round(30 * 24 + 1, 'NO')].slice(1 - place);
  const newest = rounds.at(-1)?.hour ?? 0;
  const settle = (arena: Arena) => afterResolution(arena, endOf(newest));
  for (const arena of [amended, rightly])
    for (const [at, one] of rounds.entries()) {
      const answer = arena === rightly && at === place ? null : (one.answer ?? null);
      const references = someReferences(choices);
      await insertDecided(arena, { ...one, assets: ['BTC'] }, { answer, references });
      await settle(arena);
    }
  await amend(amended, rounds.length, round(newest, null));
  for (const arena of [amended, rightly]) await settle(arena);
  const [found, expected] = [await factsOf(amended), await factsOf(rightly)];
  for (const name of Object.keys(FACTS)) expect({ [name]: found[name] }).toEqual({ [name]: expected[name] });
});
