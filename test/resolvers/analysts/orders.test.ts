import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { dataOf, registered } from '../../support/asking.ts';
import { type Fact, openField, type PlayedField } from '../../support/played-field.ts';
import { idsOf } from './walking.ts';

let field: PlayedField;
let facts: readonly Fact[];

beforeAll(async () => {
  field = await openField({ agents: 12 });
  for (const name of ['zeta', 'Beta', 'alpha', 'A_1', 'a-1']) await registered(field.service, name);
  await registered(field.service, 'Watcher', 'spectate');
  await field.play(20);
  facts = await field.facts();
});

afterAll(() => field.service.stop());

test('rounds are sorted by hour in either direction', async () => {
  const { rounds } = await dataOf(field.service, '{ rounds(first: 100) { nodes { id startTime } } }');
  const starts: string[] = rounds.nodes.map((round: { startTime: string }) => round.startTime);
  expect(starts).toHaveLength(22);
  expect(starts).toEqual(starts.toSorted().toReversed());
  expect(await idsOf(field.service, ['rounds(orderBy: OLDEST)'])).toEqual(
    (await idsOf(field.service, ['rounds'])).toReversed(),
  );
});

test('predictions are sorted by submission in either direction in every list', async () => {
  const lists = [
    { path: ['predictions'], of: facts },
    { path: ['agent(id: 2)', 'predictions'], of: facts.filter(({ agentId }) => agentId === 2) },
    { path: ['round(id: 5)', 'predictions'], of: facts.filter(({ roundId }) => roundId === 5) },
  ];
  for (const { path, of } of lists) {
    const ids = of.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    expect(await idsOf(field.service, ordered(path, 'OLDEST'))).toEqual(ids);
    expect(await idsOf(field.service, ordered(path, 'NEWEST'))).toEqual(ids.toReversed());
  }
});

test('predictions of a resolved round are sorted by place, an open one has none', async () => {
  const placed = facts.filter(({ roundId, place }) => roundId === 5 && place !== null);
  const byPlace = placed.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0)).map(({ id }) => id);
  expect(await idsOf(field.service, ['round(id: 5)', 'predictions(orderBy: PLACE)'])).toEqual(byPlace);
  expect(await idsOf(field.service, ['round(id: 5)', 'predictions(orderBy: PLACE_LAST)'])).toEqual(
    byPlace.toReversed(),
  );
  await field.predict(1);
  expect(await idsOf(field.service, ['currentRound', 'predictions(orderBy: PLACE)'])).toEqual([]);
});

test('agents are sorted by registration, name without case, or points', async () => {
  const ids = await idsOf(field.service, ['agents']);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(await idsOf(field.service, ['agents(orderBy: NEWEST)'])).toEqual(ids.toReversed());

  const { agents } = await dataOf(field.service, '{ agents(first: 100, orderBy: NAME) { nodes { name } } }');
  const names: string[] = agents.nodes.map(({ name }: { name: string }) => name);
  expect(names).toHaveLength(18);
  expect(names.filter((name) => /^(alpha|Beta|Watcher|zeta)$/.test(name))).toEqual([
    'alpha',
    'Beta',
    'Watcher',
    'zeta',
  ]);

  const pointsOf = new Map(ids.map((id) => [id, 0]));
  for (const { agentId, score, streakBonus } of facts)
    pointsOf.set(agentId, (pointsOf.get(agentId) ?? 0) + (score ?? 0) + (streakBonus ?? 0));
  const byPoints = [...pointsOf].toSorted(([id, points], [otherId, others]) => others - points || id - otherId);
  expect(await idsOf(field.service, ['agents(orderBy: POINTS)'], 4)).toEqual(byPoints.map(([id]) => id));
});

/** The path with an order for its list. */
function ordered(path: readonly string[], order: string): readonly string[] {
  return [...path.slice(0, -1), `${path.at(-1)}(orderBy: ${order})`];
}
