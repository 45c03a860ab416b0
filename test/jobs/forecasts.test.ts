import { beforeAll, describe, expect, test } from '@jest/globals';

import { ForecastScore, RoundForecast } from '../../src/entities/forecasts.ts';
import { Event } from '../../src/entities/event.ts';
import { Round } from '../../src/entities/round.ts';
import { FILLED } from '../../src/entities/migrations/2026-11-27-forecast-sums.ts';
import { recordForecasts } from '../../src/jobs/cycle/record-forecasts.ts';
import type { Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { readEvidence } from '../../src/references/round-evidence.ts';
import { pointReferences } from '../../src/references/references.ts';
import { isAsset } from '../../src/rules/assets.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { KINDS } from '../../src/rules/kinds.ts';
import { expertsBy, mixtureBy } from '../rules/forecast/forecast-oracle.ts';
import { dataOf } from '../support/asking.ts';
import { sharedField } from '../support/shared.ts';

const simulated = simulatedMarket();
let isSilent = false;
const market: Market = {
  ...simulated,
  pricesSoFar: (assets, hour, now) =>
    isSilent ? hour.times.map(() => null) : simulated.pricesSoFar(assets, hour, now),
};
const MINUTES = [1, 7, 14, 29, 31] as const;
const BIN = '{ n meanProbability hitRate }';
const recordOf = (period: string, kind = ''): string =>
  `{ forecastRecord(period: ${period}${kind}) { checkpoints { minute rounds brier priceBrier crowdBrier edge { mean low high n }
    calibration { from to forecast ${BIN} price ${BIN} crowd ${BIN} } } } }`;
const STORED = 'select kind, minute, as_of, sums from forecast_sums order by 1, 2';
const BINS = `select kind, one from forecast_sums, jsonb_array_elements(bins) one order by 1, one::text`;
/** Each round is recorded at minutes 5 to 55, and predicted in between. */
const field = sharedField(
  { agents: 12, minutes: MINUTES, prices: market, start: '2026-01-01T11:59:00Z' },
  async () => {},
);

beforeAll(async () => {
  for (let hours = 0; hours < 3; hours += 1) await playHour();
});

async function moveTo(minute: number, seconds = 2): Promise<void> {
  const { service } = field;
  service.clock.set(new Date(hourOf(service.clock.now()).getTime() + minute * MINUTE + seconds * 1000));
  await service.turn();
}

async function beginHour(): Promise<Date> {
  const { service } = field;
  service.clock.set(addHours(hourOf(service.clock.now()), 1));
  await service.turn();
  await field.predict(0.9);
  return hourOf(service.clock.now());
}

/** What is predicted later in the hour is there already: it is left out by its time. */
async function playHour(): Promise<Date> {
  const start = await beginHour();
  for (const minute of [5, 15, 30, 45, 55]) await moveTo(minute);
  return start;
}

function roundAt(startTime: Date): Promise<Round> {
  return field.service.newEm().findOneOrFail(Round, { startTime });
}

async function recordedOf({ id }: Pick<Round, 'id'>): Promise<readonly RoundForecast[]> {
  return field.service.newEm().find(RoundForecast, { roundId: id }, { orderBy: { minute: 'asc' } });
}

async function minutesOf(startTime: Date): Promise<readonly number[]> {
  return (await recordedOf(await roundAt(startTime))).map(({ minute }) => minute);
}

function near(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [place, one] of wanted.entries()) expect(found[place]).toBeCloseTo(one, 9);
}

function chunks(said: readonly number[], length: number): readonly (readonly number[])[] {
  return Array.from({ length: said.length / length }, (_, place) => said.slice(place * length, (place + 1) * length));
}

function brier(vector: readonly number[], winner: number): number {
  return vector.reduce((sum, p, place) => sum + (p - Number(place === winner)) ** 2, 0);
}

describe('forecast of a round', () => {
  test('the recorded forecast at each checkpoint equals an oracle’s', async () => {
    const { service } = field;
    const rounds = await service.newEm().find(Round, { status: 'resolved' }, { orderBy: { decidedAt: 'asc' } });
    const played = rounds.filter(({ totalEntries }) => totalEntries > 0);
    expect(played.length).toBeGreaterThanOrEqual(2);
    const facts = await field.facts();
    const lost = new Map<number, readonly number[]>();
    for (const round of played) {
      const recorded = await recordedOf(round);
      expect(recorded.map(({ minute }) => minute)).toEqual([5, 15, 30, 45, 55]);
      const evidence = (
        await readEvidence(service.newEm(), [{ roundId: round.id, points: [...Array(240).keys()] }])
      ).get(round.id);
      if (evidence === undefined) throw new Error('There is no evidence');
      for (const one of recorded) {
        const before = round.startTime.getTime() + one.minute * MINUTE;
        expect(one.recordedAt.getTime()).toBe(before + 2000);
        const own = facts.filter((fact) => fact.roundId === round.id && fact.submittedAt.getTime() < before);
        const points = own.map(({ submittedAt }) =>
          Math.floor((submittedAt.getTime() - round.startTime.getTime()) / 15_000),
        );
        const references = await pointReferences(evidence, [one.minute * 4, ...points]);
        const said = own.map((fact, place) => ({
          pick: fact.choices.indexOf(fact.prediction),
          confidence: fact.confidence,
          reference: references.get(points[place] ?? -1)?.probabilities ?? [],
          point: points[place] ?? -1,
          edges: facts.flatMap((other) => {
            const decided = rounds.find(({ id }) => id === other.roundId);
            const isKnown = decided?.decidedAt != null && decided.decidedAt <= one.decidedUntil;
            return other.agentId === fact.agentId && isKnown && other.edge !== null ? [other.edge] : [];
          }),
        }));
        const experts = expertsBy(references.get(one.minute * 4)?.probabilities ?? [], said);
        expect(one.entries).toBe(own.length);
        expect(one.unpriced).toEqual([]);
        const found = chunks(one.said, round.choices.length);
        for (const [place, vector] of experts.entries()) near(found[place] ?? [], vector);
        const totals = lost.get(one.minute) ?? experts.map(() => 0);
        near(one.probabilities, mixtureBy(experts, totals));
        const winner = round.choices.indexOf(round.outcome ?? '');
        lost.set(
          one.minute,
          totals.map((total, place) => total + brier(experts[place] ?? [], winner)),
        );
        const score = await service.newEm().findOneOrFail(ForecastScore, { roundId: round.id, minute: one.minute });
        expect(score.brier).toBeCloseTo(brier(one.probabilities, winner), 9);
        near(
          score.expertBriers,
          experts.map((vector) => brier(vector, winner)),
        );
        near(score.totals, lost.get(one.minute) ?? []);
      }
    }
  });

  test('stored reliability equals the recount over its rounds', async () => {
    const kept = await dataOf(field.service, recordOf('alltime'));
    expect(await dataOf(field.service, recordOf('monthly'))).toEqual(kept);
    for (const { rounds, calibration } of kept.forecastRecord.checkpoints) {
      const n = calibration.reduce((sum: number, { forecast }: { forecast: { n: number } }) => sum + forecast.n, 0);
      expect(n).toBeGreaterThanOrEqual(2 * rounds);
    }
  });

  test('each kind’s record, stored as rounds are decided, equals the recount over its rounds', async () => {
    const counted: number[] = [];
    for (const kind of KINDS) {
      const argument = isAsset(kind) ? `, asset: "${kind}"` : `, questionType: ${kind}`;
      const kept = await dataOf(field.service, recordOf('alltime', argument));
      expect(await dataOf(field.service, recordOf('monthly', argument))).toEqual(kept);
      counted.push(kept.forecastRecord.checkpoints[0].rounds);
    }
    const { newEm } = field.service;
    const [{ types, assets } = { types: 0, assets: 0 }] = await newEm().execute<{ types: number; assets: number }[]>(
      `select count(*)::int as types, count(r.subject)::int as assets from forecast_scores join rounds r on r.id = round_id where minute = 5`,
    );
    expect(types).toBeGreaterThan(1);
    expect(counted.reduce((sum, n) => sum + n)).toBe(types + assets);
  });

  test('the migration stores the sums that resolutions store', async () => {
    const { newEm } = field.service;
    const [sums, bins] = [await newEm().execute(STORED), await newEm().execute(BINS)];
    await newEm().execute('delete from forecast_sums');
    await newEm().execute(FILLED);
    expect(await newEm().execute(STORED)).toEqual(sums);
    expect(await newEm().execute(BINS)).toEqual(bins);
    expect(bins).not.toHaveLength(0);
  });

  test('several processes record a forecast once, and the first record stays', async () => {
    const start = await beginHour();
    const { service } = field;
    service.clock.set(new Date(start.getTime() + 5 * MINUTE));
    const deps = {
      ...service,
      market,
      picks: 'open' as const,
      announce: () => service.nudge(),
    };
    await Promise.all([recordForecasts(deps), recordForecasts(deps)]);
    const first = await recordedOf(await roundAt(start));
    await recordForecasts(deps);
    expect(await recordedOf(await roundAt(start))).toEqual(first);
    expect(first).toHaveLength(1);
    const events = await service.newEm().find(Event, { kind: 'FORECAST', roundId: first[0]?.roundId });
    expect(events.map(({ payload }) => Object.keys(payload))).toEqual([
      ['price', 'minute', 'entries', 'probabilities'],
    ]);
    await expect(service.newEm().execute('update round_forecasts set entries = 0')).rejects.toThrow();
  });

  test('a missed checkpoint has no forecast, and none is written later', async () => {
    const start = await beginHour();
    await moveTo(4, 59);
    await moveTo(6, 1);
    await moveTo(15);
    await moveTo(32);
    expect(await minutesOf(start)).toEqual([15]);
    await moveTo(60);
    await moveTo(10);
    expect(await minutesOf(start)).toEqual([15]);
    const late = field.service.newEm().execute(
      `insert into round_forecasts
       select round_id, 30, recorded_at, entries, decided_until, unpriced, probabilities, said, weights
       from round_forecasts f join rounds r on r.id = f.round_id where r.start_time = ?`,
      [start],
    );
    await expect(late).rejects.toThrow(/its forecast can be recorded no more/);
    expect(await minutesOf(start)).toEqual([15]);
    const { id } = await roundAt(start);
    expect(await scoredMinutes(id)).toEqual([15]);
  });

  test('a forecast without a known price has even odds and lists its unpriced points', async () => {
    isSilent = true;
    const start = await beginHour();
    await moveTo(5);
    isSilent = false;
    const round = await roundAt(start);
    const [recorded] = await recordedOf(round);
    expect(recorded?.unpriced).toContain(20);
    const even = round.choices.map(() => 1 / round.choices.length);
    expect(recorded?.said.slice(0, even.length)).toEqual(even);
  });

  test('a void round’s forecasts count in no record', async () => {
    const { service } = field;
    const start = await beginHour();
    await moveTo(5);
    const { id } = await roundAt(start);
    await service
      .newEm()
      .nativeUpdate(Round, { id }, { status: 'void', voidReason: 'admin', decidedAt: service.clock.now() });
    await moveTo(70);
    expect(await scoredMinutes(id)).toEqual([]);
  });
});

async function scoredMinutes(roundId: number): Promise<readonly number[]> {
  const found = await field.service.newEm().find(ForecastScore, { roundId }, { orderBy: { minute: 'asc' } });
  return found.map(({ minute }) => minute);
}
