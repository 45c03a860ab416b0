import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { startService } from '../support/service.ts';
import { FAULTLESS, visit } from '../support/visit.ts';

interface AnswerChance {
  readonly answer: string;
  readonly probability: number;
}

const FORECAST =
  '{ currentRound { id forecast { at entries probabilities { answer probability } price { answer probability } crowd { answer probability } } } }';

/** Sums of 100 rounds in which the arena was better than the price by about this. */
const sumsOf = (gain: number): string =>
  JSON.stringify({
    rounds: 100,
    brier: 40,
    expertBriers: Array.from({ length: 9 }, () => 40 + 100 * gain),
    coinBrier: 50,
    ...Object.fromEntries(
      ['edge', 'crowdEdge', 'coinEdge'].map((name) => [
        name,
        { n: 100, sum: 100 * gain, squareSum: 100 * gain * gain + 0.01 },
      ]),
    ),
  });

describe('page of the forecast', () => {
  let field: PlayedField;

  beforeAll(async () => {
    field = await openField({ agents: 6, minutes: [2, 20], checkpoints: [5, 15, 30, 45, 55] });
    await field.play(3, 1);
    await field.predict(1);
  });
  afterAll(() => field.service.stop());

  test('the present forecast comes first, with its moment, the price and the agents’ mean', async () => {
    const { currentRound: round } = await dataOf(field.service, FORECAST);
    const { probabilities, price, crowd, at, entries } = round.forecast;
    const best: AnswerChance = probabilities.reduce((most: AnswerChance, one: AnswerChance) =>
      one.probability > most.probability ? one : most,
    );
    const of = (list: readonly AnswerChance[]): string => {
      const { probability = Number.NaN } = list.find(({ answer }) => answer === best.answer) ?? {};
      return `${(probability * 100).toFixed(0)} %`;
    };
    const { text } = await drawnPage(field.service, '/forecast');
    expect(text).toContain(
      `Arena ${best.answer} ${of(probabilities)} as of ${at.slice(11, 16)} UTC Price alone ${of(price)} Agents’ mean ${of(crowd)} of ${entries} answers`,
    );
    const order = ['as of', 'Does it happen as often', 'Too early to tell'].map((words) => text.indexOf(words));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(Math.min(...order)).toBeGreaterThan(0);
    expect(text).not.toMatch(/candidate|0\.69/i);
  });

  test('the record names the question types and assets at which the arena is better or worse', async () => {
    await field.service.newEm().execute(
      `insert into forecast_sums (kind, minute, as_of, sums, bins)
       select kind, 30, now(), sums::jsonb, '[]' from (values ('beat_market', ?), ('BTC', ?), ('range', ?), ('*', ?)) v(kind, sums)
       on conflict (kind, minute) do update set sums = excluded.sums`,
      [sumsOf(0.02), sumsOf(0.01), sumsOf(-0.02), sumsOf(0.01)],
    );
    const { forecastRecord: record } = await dataOf(
      field.service,
      '{ forecastRecord(period: daily) { betterAt worseAt } }',
    );
    expect(record).toEqual({ betterAt: ['beat_market', 'BTC'], worseAt: ['range'] });
    const { text } = await drawnPage(field.service, '/forecast');
    expect(text).toContain('Agents together have been better than the price so far');
    expect(text).toContain('Over all time better than the price at: beat market, BTC; worse at: range.');
  });

  test('sealed answers seal the forecast', async () => {
    const sealed = await startService({ picks: 'sealed' });
    const { text } = await drawnPage(sealed, '/forecast').finally(() => sealed.stop());
    expect(text).toContain('Sealed until the hour is over, like the answers.');
  });

  (hasBrowser() ? describe : describe.skip)('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    test('nothing moves while it loads, and a minute’s figures follow its tab', async () => {
      const visitor = await visit(browser, field.service.url);
      for (const width of [390, 1440]) {
        await visitor.page.setViewportSize({ width, height: 844 });
        await visitor.open('/forecast');
        await visitor.link().filter({ hasText: 'Live' }).waitFor();
        await visitor.whole();
        expect(await visitor.shift()).toBeLessThanOrEqual(0.02);
      }
      const figures = visitor.page.locator('section', { has: visitor.page.locator('#record') }).locator('.figures');
      await figures.getByText('+0.010').waitFor();
      await visitor.page.getByLabel(':05').check();
      await figures.getByText('over 3 rounds').waitFor();
      expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
      await visitor.picture('forecast-now');
      await field.service.nextHour();
      await figures.getByText('over 4 rounds').waitFor();
    });
  });
});
