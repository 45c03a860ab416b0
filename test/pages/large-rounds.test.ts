import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { drawnPage } from '../support/drawn-page.ts';
import { type Fact, openField, type PlayedField } from '../support/played-field.ts';

const AGENTS = 250;
const ROUND = 1;
const WHY = 'The order book leans one way.';

let field: PlayedField;
let facts: readonly Fact[];

beforeAll(async () => {
  field = await openField({ agents: AGENTS, minutes: [3, 24, 41, 52] });
  await field.predict(1);
  await field.service.nextHour();
  await sql`insert into rationales (round_id, agent_id, rationale)
    select round_id, agent_id, ${WHY} from scores where round_id = ${ROUND} and place = 2`.execute(
    field.service.newEm().getKysely(),
  );
  facts = (await field.facts()).filter(({ roundId }) => roundId === ROUND);
  expect(facts).toHaveLength(AGENTS);
});
afterAll(() => field.service.stop());

const byPlace = () => facts.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));

/** The first or last amounts that anybody gained or lost, as the page writes them. */
function amounts(order: (one: Fact, other: Fact) => number): readonly string[] {
  return facts
    .toSorted(order)
    .slice(0, 3)
    .map(({ pnl }) => `${(pnl ?? 0) < 0 ? '−' : '+'}$${Math.abs(pnl ?? 0).toFixed(2)}`);
}

const amountsIn = (html: string, title: string): readonly string[] => {
  const [, list = ''] = new RegExp(`<h3>${title}</h3><ol class="calls">(.*?)</ol>`).exec(html) ?? [];
  return [...list.matchAll(/<b>([^<]+)<\/b>/g)].map(([, amount = '']) => amount);
};

test('a round of 250 predictions has the first places, the best and the worst calls without scripts', async () => {
  const { html, text } = await drawnPage(field.service, `/rounds/${ROUND}`);
  const places = [...html.matchAll(/<td class="rank">(\d+)<\/td><th scope="row"><a[^>]*>([^<]+)/g)];
  expect(places.map(([, place, name]) => `${place} ${name}`)).toEqual(
    byPlace()
      .slice(0, 100)
      .map(({ place, agentId }) => `${place} Agent-${agentId}`),
  );
  expect(text).toContain(`Results 100 of ${AGENTS}`);
  expect(amountsIn(html, 'Best calls')).toEqual(amounts((one, other) => (other.pnl ?? 0) - (one.pnl ?? 0)));
  expect(amountsIn(html, 'Worst calls')).toEqual(amounts((one, other) => (one.pnl ?? 0) - (other.pnl ?? 0)));
  expect(html).not.toContain(WHY);
});
