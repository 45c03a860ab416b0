import { expect, test } from '@jest/globals';

import { drawnPage } from '../../support/drawn-page.ts';
import type { Fact } from '../../support/played-field.ts';
import { sharedField } from '../../support/shared.ts';

const AGENTS = 5_000;
const [FEW, MANY] = [1, 2];
const [WARM_UP, TURNS] = [20, 60];

let facts: readonly Fact[];
const field = sharedField({ agents: AGENTS, minutes: [1, 12, 29, 38, 47, 56] }, async (one) => {
  await one.predict(0.05);
  await one.service.nextHour();
  await one.predict(1);
  await one.service.nextHour();
  facts = await one.facts();
});

const factsOf = (round: number): readonly Fact[] => facts.filter(({ roundId }) => roundId === round);

const bytes = async (round: number): Promise<number> =>
  (await (await fetch(`${field.service.url}/rounds/${round}`)).text()).length;

const ask = async (query: string) => (await field.service.request('POST', '/graphql', { body: { query } })).body.data;

test('the page of a round with 5,000 predictions has its first places, calls and counts', async () => {
  const own = factsOf(MANY);
  expect(own).toHaveLength(AGENTS);
  const { html, text } = await drawnPage(field.service, `/rounds/${MANY}`);
  const places = [...html.matchAll(/<td class="rank">(\d+)<\/td><th scope="row"><a[^>]*>([^<]+)/g)];
  const byPlace = own.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
  expect(places.map(([, place, name]) => `${place} ${name}`)).toEqual(
    byPlace.slice(0, 100).map(({ place, agentId }) => `${place} Agent-${agentId}`),
  );
  const right = own.filter(({ prediction, outcome }) => prediction === outcome).length;
  expect(text).toContain(`${((right / AGENTS) * 100).toFixed(0)} % of 5,000 predictions were right`);
  expect(text).toContain('Results 100 of 5,000');
  const amounts = own.map(({ pnl }) => pnl ?? 0).toSorted((one, other) => one - other);
  const shown = [...html.matchAll(/<b>([+−])\$([\d.]+)<\/b>/g)].map(
    ([, sign, usd]) => Number(usd) * (sign === '−' ? -1 : 1),
  );
  expect(shown).toEqual([...amounts.slice(-3).toReversed(), ...amounts.slice(0, 3)]);
});

test('every place of a round comes once, in pages of a hundred', async () => {
  const found: number[] = [];
  for (let after: string | null = null; ;) {
    const { round }: { round: { predictions: Page } } = await ask(
      `{ round(id: ${MANY}) { predictions(first: 100, orderBy: PLACE, after: ${JSON.stringify(after)}) {
        nodes { place } pageInfo { hasNextPage endCursor } } } }`,
    );
    found.push(...round.predictions.nodes.map(({ place }) => place));
    if (!round.predictions.pageInfo.hasNextPage) break;
    after = round.predictions.pageInfo.endCursor;
  }
  expect(found).toEqual(Array.from({ length: AGENTS }, (_, index) => index + 1));
});

interface Page {
  readonly nodes: readonly { readonly place: number }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

test('the page of a large round is as large and as fast as that of 250 predictions', async () => {
  expect(factsOf(FEW).length).toBeGreaterThan(200);
  expect((await bytes(MANY)) / (await bytes(FEW))).toBeLessThan(1.2);
  const work = async (round: number): Promise<number> => {
    const before = process.cpuUsage();
    await bytes(round);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  for (let turn = 0; turn < WARM_UP; turn += 1) await bytes(turn % 2 === 0 ? FEW : MANY);
  // In turns: what the service does beside them falls on both alike.
  let [few, many] = [0, 0];
  for (let turn = 0; turn < TURNS; turn += 1) {
    few += await work(FEW);
    many += await work(MANY);
  }
  expect(many / few).toBeLessThan(1.5);
});
