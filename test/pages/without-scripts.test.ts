import { expect, test } from '@jest/globals';

import { dataOf } from '../support/asking.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { sharedField } from '../support/shared.ts';

const field = sharedField({ agents: 5, seed: 3 }, async (one) => {
  await one.play(24 - one.service.clock.now().getUTCHours());
  await one.play(12);
});

const read = async (path: string): Promise<string> => (await drawnPage(field.service, path)).text;

test('a board has its rows without scripts', async () => {
  const { leaderboard } = await dataOf(field.service, '{ leaderboard { rankings { name totalPoints } } }');
  const text = await read('/leaderboard');
  expect(leaderboard.rankings).toHaveLength(5);
  for (const { name } of leaderboard.rankings) expect(text).toContain(name);
});

test('the CSV of a later part of a board has the same rows', async () => {
  const { leaderboard } = await dataOf(field.service, '{ leaderboard(period: weekly) { rankings { name } } }');
  const html = await (await fetch(`${field.service.url}/leaderboard?after=2`)).text();
  const [, link = ''] = /href="(\/leaderboard\.csv[^"]*)"/.exec(html) ?? [];
  const csv = await (await fetch(field.service.url + link.replaceAll('&amp;', '&'))).text();
  const names = csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[5]);
  expect(names).toEqual(leaderboard.rankings.slice(2).map(({ name }: { name: string }) => `"${name}"`));
});

test('a round has its question, outcome and results without scripts', async () => {
  const { round } = await dataOf(
    field.service,
    '{ round(id: 20) { question outcome totalEntries results { agentName } } }',
  );
  const text = await read('/rounds/20');
  expect(text).toContain(round.question);
  expect(text).toContain(`${round.outcome} `);
  for (const { agentName } of round.results) expect(text).toContain(agentName);
  expect(round.results.length).toBeGreaterThan(0);
});

test('equal counts have equal shares on each round’s page', async () => {
  const { rounds } = await dataOf(
    field.service,
    '{ rounds(first: 36, status: [resolved]) { nodes { id crowd { n answers { n } } } } }',
  );
  const shown = [];
  const counted = [];
  for (const { id, crowd } of rounds.nodes) {
    const { html } = await drawnPage(field.service, `/rounds/${id}`);
    shown.push([...html.matchAll(/class="share">(\d+) %/g)].map(([, share]) => Number(share)));
    counted.push(crowd.n === 0 ? [] : crowd.answers.map(({ n }: { n: number }) => Math.round((n / crowd.n) * 100)));
  }
  expect(shown).toEqual(counted);
  expect(counted.flat()).toContain(33);
});

test('an agent has its figures without scripts', async () => {
  const { agent } = await dataOf(field.service, '{ agent(id: 1) { name totalCompetitions winRate } }');
  const text = await read('/agents/1');
  expect(text).toContain(agent.name);
  expect(text).toContain(`of ${agent.totalCompetitions} rounds`);
});

test('an agent’s best rounds gained and its worst ones lost', async () => {
  const html = await (await fetch(`${field.service.url}/agents/1`)).text();
  const amounts = (title: string): string[] => {
    const [, list = ''] =
      new RegExp(`<h3>${title} of the newest \\d+ rounds</h3><ol class="calls">(.*?)</ol>`).exec(html) ?? [];
    return [...list.matchAll(/<b>([^<]+)<\/b>/g)].map(([, amount = '']) => amount);
  };
  expect(amounts('Best')).toEqual([1, 2, 3].map(() => expect.stringMatching(/^\+\$/)));
  expect(amounts('Worst')).toEqual([1, 2, 3].map(() => expect.stringMatching(/^−\$/)));
});

test('a question type has its frequency, balance, difficulty and an example', async () => {
  const { rounds } = await dataOf(
    field.service,
    '{ rounds(first: 100, status: [resolved], questionType: [direction]) { nodes { id outcome params { subject } } } }',
  );
  const [newest] = rounds.nodes;
  const text = await read('/questions');
  const [, direction = ''] = / Direction | direction /.exec(text) ? text.split(/ direction /i) : [];
  expect(direction).toContain(`How often ${rounds.nodes.length} `);
  expect(direction).toMatch(/Ended YES \d+ % Right \d+ % difficulty \d\.\d\d/);
  expect(direction).toContain(`Does ${newest.params.subject} end the hour higher than it began? ${newest.outcome} `);
});

test('a frozen day has one sentence of its figures, on its board and in the archive', async () => {
  const { leaderboardArchive } = await dataOf(
    field.service,
    '{ leaderboardArchive(period: "2026-01-01") { agents rankings { name totalPoints } } }',
  );
  const { agents, rankings } = leaderboardArchive;
  const lead = rankings[0].totalPoints - rankings[1].totalPoints;
  const sentence = `${rankings[0].name} came first of ${agents} agents with`;
  const whole = new RegExp(
    `${sentence} [+−]?\\d+ points, ${lead} ahead of ${rankings[1].name}; its edge over the price was .?0\\.\\d{3}\\.`,
  );
  expect(await read('/leaderboard/2026-01-01')).toMatch(whole);
  const archive = await read('/archive');
  expect(archive).toMatch(whole);
  expect(archive.indexOf('Thu, Jan 1')).toBeLessThan(archive.indexOf(sentence));
});

test('the explanation separates points from edge, without figures of the service', async () => {
  const text = await read('/about');
  expect(text).toContain('Late answers win points, early ones edge');
  expect(text).not.toContain('99 of 100');
});

test.each(['/', '/questions'])('%s leads to the calendar of hours', async (path) => {
  const [, href = ''] =
    /<a href="([^"]+)">[Aa]dd the hours to my calendar</.exec((await drawnPage(field.service, path)).html) ?? [];
  const { status, headers } = await fetch(field.service.url + href);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
});

test('the hour being played has its question once, previous rounds and the board', async () => {
  const { currentRound, leaderboard } = await dataOf(
    field.service,
    '{ currentRound { question } leaderboard { rankings { name } } }',
  );
  const text = await read('/');
  expect(text.split(currentRound.question)).toHaveLength(2);
  expect(text).toContain('Hours that are over');
  expect(text).toContain(leaderboard.rankings[0].name);
});

test.each([
  ['/rounds', 'Every hour is a round'],
  ['/questions', 'YES when the close is above the open'],
  ['/leaderboard/2026-01-01', 'Thursday, January 1, 2026'],
  ['/archive', 'January 2026'],
  ['/about', 'What would I earn?'],
  ['/forecast', 'The arena’s forecast'],
  ['/join', 'The agent’s name'],
  ['/me', 'The agent’s key'],
  ['/embed/round', 'left to answer'],
  ['/embed/agent/1', 'Agent-1'],
])('%s has its content without scripts', async (path, text) => {
  expect(await read(path)).toContain(text);
});
