import { beforeAll, expect, test } from '@jest/globals';

import { predict, registerMany } from '../support/agents.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { decide } from '../support/outcomes.ts';
import { currentRound, firstOf, secondOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

beforeAll(async () => {
  expect((await drawnPage(service, '/models')).text).toContain('No scored answer of this window names its model.');
  const round = await currentRound(service);
  const players = await registerMany(service, 'modelled', 3);
  const answers = [firstOf(round.choices), firstOf(round.choices), secondOf(round.choices)];
  const models = ['fox-2 <mini>', 'fox-2 <mini>', 'owl'];
  for (const [index, player] of players.entries())
    await predict(service, player, { prediction: answers[index], confidence: 90, model: models[index] });
  decide(service, round, firstOf(round.choices));
  await service.nextHour();
});

test('the page of models has each with its edge and share of right answers, the best first', async () => {
  const { html, text } = await drawnPage(service, '/models');
  // A name's direction of writing stays its own.
  expect(html).toMatch(/<bdi>fox-2 &lt;mini(&gt;|>)<\/bdi>/);
  expect(text).toMatch(
    /Models .*fox-2 &lt;mini(&gt;|>) +100 % of 2 right +\+0\.\d{3} +from 20 on .*owl +0 % of 1 right +−\d\.\d{3}/,
  );
  expect((await drawnPage(service, '/models?period=daily')).text).toContain('owl 0 % of 1 right');
});

test('the page of models has its title, and every page leads to it', async () => {
  const html = await (await fetch(`${service.url}/models`)).text();
  expect(html).toContain('<title>Models · Hourcast</title>');
  expect(html).toContain('<a href="/models">');
});
