import { recordForecasts } from '../../src/jobs/cycle/record-forecasts.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import type { Candles } from '../oracle/candle-files.ts';
import { HOUR } from '../oracle/hours.ts';
import { asBody, at, bodyOf, found, listOf, numberOf, textOf, type Body } from '../oracle/json.ts';
import { verdictOf } from '../oracle/questions.ts';
import { factsOf, type RoundFacts } from '../oracle/round-facts.ts';
import { startService, type TestService } from '../support/service.ts';
import { mulberry32 } from './oracle-normals.ts';
import { certainLead } from './certain-lead.ts';
import { oracleReference } from './oracle-reference.ts';
import type { Instant, Shown } from './oracle-walks.ts';
import { signBefore, weekCovariance } from './week-before.ts';
import { dataOf } from '../support/asking.ts';
import { withOutages } from '../support/scripted-market.ts';

export const CHARACTERS = [
  'toss',
  'insider',
  'trend',
  'parrot',
  'outage',
  'sniper',
  'sure',
  'copier',
  'averager',
] as const;
export type Character = (typeof CHARACTERS)[number];

/** One value for each of them. */
export function byCharacter<T>(value: (character: Character) => T): Record<Character, T> {
  const [toss, insider, trend] = [value('toss'), value('insider'), value('trend')];
  const [parrot, outage, sure] = [value('parrot'), value('outage'), value('sure')];
  return {
    toss,
    insider,
    trend,
    parrot,
    outage,
    sure,
    sniper: value('sniper'),
    copier: value('copier'),
    averager: value('averager'),
  };
}

/** The minute of the hour at which each submits, some seconds after a point of the grid. */
const MINUTE_OF: Readonly<Record<Character, number>> = {
  toss: 0,
  insider: 5,
  trend: 20,
  parrot: 30,
  outage: 56.5,
  sniper: 57,
  sure: 57.5,
  copier: 58,
  averager: 59,
};
const SECONDS_AFTER = 7;

/** The minutes at which the arena's forecast is recorded. */
const RECORDED = [5, 15, 30, 45, 55];

/** For 15 seconds of each hour no price is known: one of the characters waits for it. */
export function isOut(hourStart: Date, time: Date): boolean {
  return time.getTime() - hourStart.getTime() === 60_000 * MINUTE_OF.outage;
}

interface Answer {
  readonly prediction: string;
  /** Percent. */
  readonly confidence: number;
}

/** A field that has played, with the service that it played in. */
export interface PlayedCharacters {
  readonly service: TestService;
  readonly ids: Readonly<Record<Character, number>>;
  /** `prediction` of every 201. */
  readonly accepted: readonly Body[];
  readonly rounds: readonly RoundFacts[];
}

interface Playing {
  readonly service: TestService;
  readonly candles: Candles;
  readonly uniform: () => number;
  /** What trend's answers have come to so far, by number of choices. */
  readonly shown: Map<number, { right: number; n: number }>;
  readonly keys: Readonly<Record<Character, string>>;
}

/** Plays so many rounds of a folder's hours through the whole service, with its clock set by hand. */
export async function playCharacters(
  folder: string,
  { candles, start, rounds }: { readonly candles: Candles; readonly start: string; readonly rounds: number },
): Promise<PlayedCharacters> {
  const market = withOutages(await openReplay(folder), isOut);
  const service = await startService({ start, prices: market });
  const recording = { ...service, market, picks: 'open', announce: () => {} } as const;
  const registered = new Map<Character, { readonly id: number; readonly key: string }>();
  for (const name of CHARACTERS) {
    const { body } = await service.request('POST', '/api/agents/register', { body: { name } });
    registered.set(name, { id: Number(body.agent.id), key: String(body.api_key) });
  }
  const ids = byCharacter((name) => found(registered.get(name), name).id);
  const playing = {
    service,
    candles,
    uniform: mulberry32(11),
    shown: new Map(),
    keys: byCharacter((name) => found(registered.get(name), name).key),
  };
  const [accepted, played]: [Body[], RoundFacts[]] = [[], []];
  for (let ordinal = 0; ordinal < rounds; ordinal += 1) {
    const { body } = await service.request('GET', '/api/rounds/current');
    const facts = factsOf(asBody(body.round, 'round'));
    played.push(facts);
    const toRecord = [...RECORDED];
    for (const character of CHARACTERS) {
      while ((toRecord[0] ?? Infinity) <= MINUTE_OF[character]) {
        service.clock.set(timeIn(facts, toRecord.shift() ?? 0));
        await recordForecasts(recording);
      }
      accepted.push(...(await submitted(playing, facts, character)));
    }
    // What follows from decided rounds waits for the end of the day, as boards in every order take longer than the hour.
    const isLastOfDay = ordinal % 24 === 0 || ordinal === rounds - 1;
    await (isLastOfDay ? service.nextHour(0) : service.passHour(0));
  }
  return { service, ids, accepted, rounds: played };
}

function timeIn({ hour }: RoundFacts, minute: number): Date {
  return new Date(hour * HOUR + Math.round(60 * minute) * 1000);
}

/** What was accepted, if the character answers at all. */
async function submitted(playing: Playing, facts: RoundFacts, character: Character): Promise<readonly Body[]> {
  const { service, keys } = playing;
  service.clock.set(timeIn(facts, MINUTE_OF[character] + SECONDS_AFTER / 60));
  const answer = await ANSWERS[character](playing, facts);
  if (answer === null) return [];
  const { status, body } = await service.request('POST', '/api/predictions', {
    key: keys[character],
    body: { round_id: facts.id, ...answer },
  });
  if (status !== 201) throw new Error(`${character} is answered ${status}: ${JSON.stringify(body)}`);
  return [bodyOf(asBody(body, 'the answer'), 'prediction')];
}

type Answers = (playing: Playing, facts: RoundFacts) => Answer | null | Promise<Answer | null>;

const ANSWERS: Readonly<Record<Character, Answers>> = {
  toss: ({ uniform }, { choices }) => ({
    prediction: guess(uniform, choices),
    confidence: Math.floor(100 / choices.length),
  }),
  insider: ({ uniform, candles }, facts) => {
    const verdict = verdictOf(facts, candles);
    const knows = uniform() < 0.6 && verdict.status === 'resolved';
    return {
      prediction: knows ? verdict.outcome : guess(uniform, facts.choices),
      confidence: Math.round(60 + 40 / facts.choices.length),
    };
  },
  trend: async (playing, facts) => {
    const k = facts.choices.length;
    const prediction =
      wonNow(facts, playing.candles, await pricesSoFar(playing.service, facts)) ?? at(facts.choices, 0);
    const known = playing.shown.get(k) ?? { right: 1, n: k };
    const verdict = verdictOf(facts, playing.candles);
    // Looked at only from the next round on.
    const right = Number(verdict.status === 'resolved' && verdict.outcome === prediction);
    playing.shown.set(k, { right: known.right + right, n: known.n + 1 });
    return { prediction, confidence: Math.round((100 * known.right) / known.n) };
  },
  sniper: async (playing, facts) => surest(facts, oracleReference(await instantOf(playing, facts, MINUTE_OF.sniper))),
  parrot: async ({ service }, facts) => surest(facts, await forecastOf(service, facts, MINUTE_OF.parrot)),
  outage: async (playing, facts) => surest(facts, oracleReference(await instantOf(playing, facts, MINUTE_OF.outage))),
  sure: async (playing, facts) => {
    const certain = certainLead(await instantOf(playing, facts, MINUTE_OF.sure));
    return certain === null ? null : { prediction: at(facts.choices, certain), confidence: 100 };
  },
  copier: async ({ service }, facts) => surest(facts, await crowdOf(service, facts, MINUTE_OF.sniper)),
  averager: async ({ service }, facts) => surest(facts, await crowdOf(service, facts, 0)),
};

/** All that is public at this minute. */
async function instantOf({ service, candles }: Playing, facts: RoundFacts, minute: number): Promise<Instant> {
  const known = { facts, covariance: weekCovariance(candles, facts.hour), signBefore: signBefore(facts, candles) };
  return { ...known, shown: await pricesSoFar(service, facts), left: (60 - minute) / 60 };
}

function guess(uniform: () => number, choices: readonly string[]): string {
  return at(choices, Math.floor(uniform() * choices.length));
}

function surest({ choices }: RoundFacts, probabilities: readonly number[]): Answer {
  const most = Math.max(...probabilities);
  return { prediction: at(choices, probabilities.indexOf(most)), confidence: Math.round(100 * most) };
}

/** What the service shows of the round's assets by now: its prices, and none of its probabilities. */
async function pricesSoFar(service: TestService, { id }: RoundFacts): Promise<ReadonlyMap<string, Shown>> {
  const query = `{ round(id: ${id}) { reference(points: 20) { prices { asset priceUsd highUsd lowUsd } } } }`;
  const points = listOf(bodyOf(await graphql(service, query), 'round'), 'reference');
  const opens = new Map(
    listOf(at(points, 0), 'prices').map((price) => [textOf(price, 'asset'), numberOf(price, 'priceUsd')]),
  );
  return new Map(
    listOf(at(points, -1), 'prices').map((shown) => {
      const name = textOf(shown, 'asset');
      const soFar = (key: string): number => numberOf(shown, key);
      const open = found(opens.get(name), name);
      return [name, { open, price: soFar('priceUsd'), high: soFar('highUsd'), low: soFar('lowUsd') }];
    }),
  );
}

/** What the arena's forecast says at this minute, as everybody may read it. */
async function forecastOf(service: TestService, { id }: RoundFacts, minute: number): Promise<readonly number[]> {
  const query = `{ round(id: ${id}) { forecast(minute: ${minute}) { probabilities { probability } } } }`;
  const forecast = bodyOf(bodyOf(await graphql(service, query), 'round'), 'forecast');
  return listOf(forecast, 'probabilities').map((one) => numberOf(one, 'probability'));
}

export async function graphql(service: TestService, query: string): Promise<Body> {
  return asBody(await dataOf(service, query), 'data');
}

/** As the candles of `candle-files.ts` count. */
function units(price: number): bigint {
  return BigInt(Math.round(price * 1e10));
}

/** The winner if the hour ended now. */
function wonNow(facts: RoundFacts, candles: Candles, shown: ReadonlyMap<string, Shown>): string | null {
  const verdict = verdictOf(facts, (name, hour) => {
    const soFar = shown.get(name);
    if (hour !== facts.hour || soFar === undefined) return candles(name, hour);
    return { open: units(soFar.open), high: units(soFar.high), low: units(soFar.low), close: units(soFar.price) };
  });
  return verdict.status === 'resolved' ? verdict.outcome : null;
}

/** The mean of what the public entries since this minute give to each choice. */
async function crowdOf(service: TestService, facts: RoundFacts, minute: number): Promise<readonly number[]> {
  const { body } = await service.request('GET', `/api/rounds/${facts.id}/entries`);
  const since = new Date(facts.hour * HOUR + minute * 60_000).toISOString().slice(0, 19);
  const entries = listOf(asBody(body, 'entries'), 'entries').filter((entry) => textOf(entry, 'submitted_at') >= since);
  const k = facts.choices.length;
  return facts.choices.map((choice) => {
    const given = entries.map((entry) => {
      const pick = Math.max(numberOf(entry, 'confidence') / 100, 1 / k);
      return textOf(entry, 'prediction') === choice ? pick : (1 - pick) / (k - 1);
    });
    return given.reduce((sum, one) => sum + one, 0) / given.length;
  });
}
