import { expect, test } from '@jest/globals';

import { drawnPage } from '../support/drawn-page.ts';
import { AGENTS, largeRound, ROUND, WHY } from '../support/large-round.ts';
import type { Fact } from '../support/played-field.ts';

const large = largeRound();

/** The first or last amounts that anybody gained or lost, as the page writes them. */
function amounts(order: (one: Fact, other: Fact) => number): readonly string[] {
  return large.facts
    .toSorted(order)
    .slice(0, 3)
    .map(({ pnl }) => `${(pnl ?? 0) < 0 ? '−' : '+'}$${Math.abs(pnl ?? 0).toFixed(2)}`);
}

const amountsIn = (html: string, title: string): readonly string[] => {
  const [, list = ''] = new RegExp(`<h3>${title}</h3><ol class="calls">(.*?)</ol>`).exec(html) ?? [];
  return [...list.matchAll(/<b>([^<]+)<\/b>/g)].map(([, amount = '']) => amount);
};

test('a round of 250 predictions has its first places, best and worst calls without scripts', async () => {
  const { html, text } = await drawnPage(large.service, `/rounds/${ROUND}`);
  const places = [...html.matchAll(/<td class="rank">(\d+)<\/td><th scope="row"><a[^>]*>([^<]+)/g)];
  expect(places.map(([, place, name]) => `${place} ${name}`)).toEqual(
    large.byPlace.slice(0, 100).map(({ place, agentId }) => `${place} Agent-${agentId}`),
  );
  expect(text).toContain(`Results 100 of ${AGENTS}`);
  expect(amountsIn(html, 'Best calls')).toEqual(amounts((one, other) => (other.pnl ?? 0) - (one.pnl ?? 0)));
  expect(amountsIn(html, 'Worst calls')).toEqual(amounts((one, other) => (one.pnl ?? 0) - (other.pnl ?? 0)));
  expect(html).not.toContain(WHY);
});
