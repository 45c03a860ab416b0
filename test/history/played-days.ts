import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import { memory, type Memory } from '../faults/memory.ts';
import { PERIODS } from '../oracle/boards.ts';
import type { Candles } from '../oracle/candle-files.ts';
import { HOUR } from '../oracle/hours.ts';
import { asBody, bodyOf, type Body } from '../oracle/json.ts';
import { verdictOf } from '../oracle/questions.ts';
import { factsOf, type RoundFacts } from '../oracle/round-facts.ts';
import { type Player, register } from '../support/agents.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';

/** How an agent answers. */
interface Habit {
  readonly name: string;
  /** Of 100 answers, how many it knows to be right; the others are any. */
  readonly right: number;
  /** The ordinal of the round from which on it is wrong on purpose. */
  readonly until?: number;
  /** The ordinal of the round in which it registers. */
  readonly joins?: number;
  /** Of 100 rounds, how many it sits out. */
  readonly absent?: number;
  /** Any, unless told otherwise. */
  readonly confidence?: readonly [least: number, most: number];
}

/** Twenty agents, each with a habit that some rule has to cope with. */
export const CAST: readonly Habit[] = [
  { name: 'seer', right: 100, confidence: [85, 100] },
  { name: 'turncoat', right: 100, until: 70, confidence: [80, 100] },
  { name: 'all-in', right: 60, confidence: [100, 100] },
  { name: 'timid', right: 60, confidence: [0, 0] },
  { name: 'edge-49', right: 55, confidence: [49, 49] },
  { name: 'edge-80', right: 55, confidence: [79, 80] },
  { name: 'late', right: 70, joins: 12 },
  { name: 'later', right: 50, joins: 20, confidence: [100, 100] },
  { name: 'rare-1', right: 65, absent: 60 },
  { name: 'rare-2', right: 30, absent: 80 },
  ...[70, 65, 60, 65, 0].map((right, place) => ({ name: `good-${place}`, right, absent: 5 * place })),
  ...[0, 0, 0, 0, 0].map((right, place) => ({ name: `random-${place}`, right, absent: 10 * place })),
];

/** The four boards, read while the hour turned behind this round. */
export interface Moment {
  readonly roundId: number;
  readonly boards: readonly Body[];
}

/** Days of recorded prices that were played through the whole service, up to a round that is open. */
export interface PlayedDays {
  readonly service: TestService;
  readonly connection: DatabaseConnection;
  readonly players: readonly Player[];
  /** `round` of /rounds/current, when it was open: those that are over. */
  readonly questions: readonly Body[];
  readonly open: Body;
  /** `prediction` of every 201, with the agent's name. */
  readonly accepted: readonly Body[];
  readonly memory: Memory;
  readonly moments: readonly Moment[];
}

interface Days {
  readonly candles: Candles;
  /** The beginning of an hour. */
  readonly start: string;
  readonly rounds: number;
}

const MOMENT_EVERY = 10;
const OPEN_ANSWERS = 3;

/** Plays so many rounds on the prices of `folder`, by a clock that is set by hand; `closing` stops the service. */
export async function playDays(
  folder: string,
  { candles, start, rounds }: Days,
  closing: AsyncDisposableStack,
): Promise<PlayedDays> {
  const database = await createTestDatabase();
  closing.defer(database.drop);
  const service = await startService({ database, start, prices: await openReplay(folder), keeping: { bytes: 0 } });
  closing.defer(() => service.stop());
  const random = seeded(11);
  const [players, accepted, questions, moments]: [Player[], Body[], Body[], Moment[]] = [[], [], [], []];
  const kept = memory();
  const submit = async (round: RoundFacts, player: Player, answer: Answer): Promise<void> => {
    const body = { round_id: round.id, ...answer };
    const settle = kept.begin({ agentId: player.id, roundId: round.id, ...answer });
    const answered = await service.request('POST', '/api/predictions', { key: player.key, body });
    settle({ status: answered.status, body: answered.body, latencyMs: 0 });
    if (answered.status !== 201) throw new Error(`${player.name} is answered ${JSON.stringify(answered.body)}`);
    accepted.push({ ...bodyOf(asBody(answered.body, 'the answer'), 'prediction'), agent_name: player.name });
  };
  for (let ordinal = 0; ordinal < rounds; ordinal += 1) {
    const round = await currentRound(service);
    questions.push(round);
    for (const { name, joins = 0 } of CAST) {
      if (joins !== ordinal) continue;
      const player = await register(service, name);
      players.push(player);
      kept.registered.push({ id: player.id, name });
    }
    const facts = factsOf(round);
    for (const { second, player, answer } of planned({ players, facts, candles, ordinal, random })) {
      service.clock.set(new Date(facts.hour * HOUR + second * 1000));
      await submit(facts, player, answer);
    }
    // What follows from decided rounds waits for the end of the day, as boards in every order take longer than the hour.
    const turned = ordinal % 24 === 0 || ordinal === rounds - 1 ? service.nextHour(0) : service.passHour(0);
    if (ordinal % MOMENT_EVERY === 0) moments.push({ roundId: facts.id, boards: await boardsOf(service) });
    await turned;
  }
  const open = await currentRound(service);
  const facts = factsOf(open);
  for (const [place, player] of players.slice(0, OPEN_ANSWERS).entries())
    await submit(facts, player, { prediction: random.pick(facts.choices), confidence: 33 * place });
  const { connection } = database;
  return { service, connection, players, questions, open, accepted, memory: kept, moments };
}

async function currentRound(service: TestService): Promise<Body> {
  return asBody((await service.request('GET', '/api/rounds/current')).body.round, 'round');
}

/** One after the other: of answers to requests at the same time, none is the later one. */
export async function boardsOf(service: TestService): Promise<Body[]> {
  const boards: Body[] = [];
  for (const period of PERIODS)
    boards.push(asBody((await service.request('GET', `/api/leaderboard?period=${period}&limit=100`)).body, period));
  return boards;
}

interface Answer {
  readonly prediction: string;
  readonly confidence: number;
}

interface Planning {
  readonly players: readonly Player[];
  readonly facts: RoundFacts;
  readonly candles: Candles;
  readonly ordinal: number;
  readonly random: Seeded;
}

/** What is submitted in the hour, in the order of its seconds, of which some have several. */
function planned({ players, facts, candles, ordinal, random }: Planning) {
  const verdict = verdictOf(facts, candles);
  const right = verdict.status === 'resolved' ? verdict.outcome : facts.choices[0];
  const wrong = facts.choices.filter((choice) => choice !== right);
  const plans = CAST.flatMap((habit) => {
    const player = players.find(({ name }) => name === habit.name);
    if (player === undefined || random.chance((habit.absent ?? 0) / 100)) return [];
    const knows = right !== undefined && random.chance(habit.right / 100);
    const isTurned = ordinal >= (habit.until ?? Number.POSITIVE_INFINITY);
    const prediction = isTurned ? random.pick(wrong) : knows ? right : random.pick(facts.choices);
    const confidence = random.between(...(habit.confidence ?? [0, 100]));
    return [{ second: random.between(0, 3599), player, answer: { prediction, confidence } }];
  });
  return plans.toSorted((one, other) => one.second - other.second);
}
