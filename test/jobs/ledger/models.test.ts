import { beforeAll, expect, test } from '@jest/globals';

import { type Player, predict, registerMany } from '../../support/agents.ts';
import { dataOf } from '../../support/asking.ts';
import { decide } from '../../support/outcomes.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { currentRound, firstOf } from '../../support/rounds.ts';
import { seeded } from '../../support/seeded.ts';
import { sharedService } from '../../support/shared.ts';
import { act, TOKEN } from '../../operating/admin.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));

/** Some rounds have left the shortest window by then. */
const HOURS = 30;
const MODELS = ['one', 'Two', 'three 3', '{"x",\\}', null] as const;
const PERIODS = { daily: 24, weekly: 168, monthly: 720, alltime: Infinity } as const;

/** A scored prediction, from the tables. */
interface Scored {
  readonly model: string;
  readonly agent: number;
  readonly type: string;
  readonly end: Date;
  readonly hit: boolean;
  readonly confidence: number;
  readonly brier: number;
  readonly reference: number;
  readonly edge: number | null;
  readonly pnl: number;
}

let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'player', 3);
  const random = seeded(11);
  for (let hour = 0; hour < HOURS; hour += 1) {
    const round = await currentRound(service);
    for (const player of players)
      await predict(service, player, {
        prediction: random.pick(round.choices),
        confidence: random.between(0, 100),
        model: random.pick(MODELS),
      });
    decide(service, round, firstOf(round.choices));
    await service.nextHour();
  }
});

async function scored(): Promise<readonly Scored[]> {
  return service.newEm().getConnection().execute(`
    select w.model, w.agent_id as agent, r.question_type as type, r.end_time as "end", s.is_correct as hit, p.confidence::int,
      s.brier::float8, s.reference_brier::float8 as reference, s.edge_millionths / 1e6::float8 as edge, s.pnl_usd::float8 as pnl
    from rationales w join scores s using (round_id, agent_id) join predictions p using (round_id, agent_id)
    join rounds r on r.id = w.round_id where w.model is not null and w.hidden_at is null`);
}

function mean(values: readonly number[]) {
  return { mean: expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9), n: values.length };
}

/** What is shown of some predictions, worked out one by one. */
function figures(all: readonly Scored[]) {
  const edges = all.flatMap(({ edge }) => (edge === null ? [] : [edge]));
  return {
    n: all.length,
    hitRate: mean(all.map(({ hit }) => Number(hit))),
    meanConfidence: mean(all.map(({ confidence }) => confidence / 100)),
    brier: mean(all.map(({ brier }) => brier)),
    edge: edges.length === 0 ? null : mean(edges),
    pnlTotalUsd: expect.closeTo(
      all.reduce((sum, { pnl }) => sum + pnl, 0),
      6,
    ),
  };
}

const FIGURES = 'n hitRate { mean n } meanConfidence { mean n } brier { mean n } edge { mean n } pnlTotalUsd';

function byModel(all: readonly Scored[]) {
  const models = [...new Set(all.map(({ model }) => model))].toSorted((left, right) => (left < right ? -1 : 1));
  return models.map((model) => ({ model, own: all.filter((one) => one.model === model) }));
}

async function expectAsByHand(): Promise<void> {
  const all = await scored();
  const [platform] = await service
    .newEm()
    .getConnection()
    .execute<{ end: Date }[]>('select newest_resolved_end as "end" from platform');
  const newest = platform?.end.getTime() ?? 0;
  for (const [period, hours] of Object.entries(PERIODS)) {
    const within = byModel(all.filter(({ end }) => end.getTime() > newest - hours * 3_600_000));
    const { breakdown, models } = await dataOf(
      service,
      `{ breakdown(by: [MODEL], window: ${period}) { keys { value } ${FIGURES} } models(period: ${period}) { model ${FIGURES} } }`,
    );
    expect(breakdown).toEqual(within.map(({ model, own }) => ({ keys: [{ value: model }], ...figures(own) })));
    const shown = models.toSorted((one: { model: string }, other: { model: string }) =>
      one.model < other.model ? -1 : 1,
    );
    expect(shown).toEqual(within.map(({ model, own }) => ({ model, ...figures(own) })));
  }
}

test('the sums of each model follow from its predictions in every window, also over REST', async () => {
  await expectAsByHand();
  const all = await scored();
  expect(new Set(all.map(({ model }) => model)).size).toBe(4);
  const { body } = await service.request('GET', '/api/models?period=alltime&limit=2');
  const models: readonly { model: string; predictions: number; edge: { mean: number; n: number } | null }[] =
    body.models;
  expect(models).toHaveLength(2);
  const sure = (await dataOf(service, '{ models(period: alltime) { model edge { mean n } } }')).models.map(
    ({ edge }: { edge: { mean: number; n: number } | null }) => (edge !== null && edge.n >= 20 ? edge.mean : -Infinity),
  );
  expect(sure).toEqual(sure.toSorted((left: number, right: number) => right - left));
});

test('an agent’s record can be broken down by model and another property', async () => {
  const all = (await scored()).filter(({ agent }) => agent === players[0]?.id);
  const { breakdown } = await dataOf(
    service,
    `{ breakdown(by: [MODEL, QUESTION_TYPE], agentId: ${players[0]?.id}) { keys { value } n brier { mean n } } }`,
  );
  const types = [...new Set(all.map(({ type }) => type))].toSorted();
  const groups = byModel(all).flatMap(({ model, own }) =>
    types.flatMap((type) => {
      const both = own.filter((one) => one.type === type);
      return both.length === 0
        ? []
        : [{ keys: [{ value: model }, { value: type }], n: both.length, brier: figures(both).brier }];
    }),
  );
  expect(breakdown).toEqual(groups);
});

test('model sums hold after hidden texts, a removed agent, and rounds that leave windows', async () => {
  const [first, second] = players;
  const rounds: readonly { id: number }[] = await service
    .newEm()
    .getConnection()
    .execute('select round_id as id from rationales where agent_id = ? order by 1', [first?.id]);
  for (const { id } of [...rounds.slice(0, 2), ...rounds.slice(-2)])
    expect((await act(service, 'hide', first?.id ?? 0, 'Abuse', { round: id })).status).toBe(200);
  await expectAsByHand();
  await act(service, 'remove', second?.id ?? 0, 'Asked for');
  await expectAsByHand();
  for (let hour = 0; hour < 3; hour += 1) await service.nextHour();
  await expectAsByHand();
});

test.each([
  ['breakdown(by: [MODEL, HOUR_OF_DAY])', /^by must be MODEL alone where agentId is not given/],
  ['breakdown(by: [AGENT, MODEL], window: daily)', /^by must be MODEL alone/],
  [
    'breakdown(by: [MODEL], from: "2026-01-01T00:00:00Z")',
    /^MODEL without agentId must be given window, not from or to/,
  ],
])('%s is refused', async (field, sentence) => {
  const { body } = await service.request('POST', '/graphql', { body: { query: `{ ${field} { n } }` } });
  expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([expect.stringMatching(sentence)]);
});

test('boards of 0 and 51 models are refused', async () => {
  for (const limit of [0, 51]) expectRefusal(await service.request('GET', `/api/models?limit=${limit}`), 400, /^limit/);
});
