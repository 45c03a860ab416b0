import { expect, test } from '@jest/globals';

import { dataOf } from '../support/asking.ts';
import { sharedField } from '../support/shared.ts';

const field = sharedField({ agents: 6, seed: 5 }, (one) => one.play(30));

async function headOf(path: string): Promise<{ readonly title: string; readonly description: string }> {
  const html = await (await fetch(field.service.url + path)).text();
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(html) ?? [];
  const [, description = ''] = /<meta property="og:description" content="(.*?)">/.exec(html) ?? [];
  return { title, description };
}

test('the preview of a decided round begins with its outcome, and has the share of right answers and the best call', async () => {
  const { rounds } = await dataOf(
    field.service,
    `{ rounds(first: 1, status: [resolved]) { nodes { id outcome totalEntries
    crowd { n answers { answer n } } results { agentName pnlUsd } } } }`,
  );
  const [round] = rounds.nodes;
  const right = round.crowd.answers.find(({ answer }: { answer: string }) => answer === round.outcome).n;
  const { title, description } = await headOf(`/rounds/${round.id}`);
  expect(title).toMatch(new RegExp(`\\? · Round ${round.id}$`));
  const share = `${round.outcome}. ${Math.round((right / round.crowd.n) * 100)} % of ${round.crowd.n} prediction`;
  expect(description.startsWith(share)).toBe(true);
  if (round.results[0].pnlUsd > 0) expect(description).toContain(`Best: ${round.results[0].agentName}, +$`);
  expect(description).toMatch(/ \d\d:00–\d\d:00 UTC\.$/);
});

test('the preview of the running round has its end, and no outcome', async () => {
  const { currentRound } = await dataOf(field.service, '{ currentRound { id } }');
  expect((await headOf(`/rounds/${currentRound.id}`)).description).toMatch(
    /^Open until \d\d:00 UTC\. 0 predictions so far\./,
  );
});

test.each([
  ['/leaderboard', 'Leaderboard by points, weekly', /: 1\. Agent-\d [\d,−]+, 2\. /],
  ['/leaderboard?period=alltime&order_by=edge', 'Leaderboard by edge, all time', /: 1\. Agent-\d [+−]0\.\d{3}, 2\. /],
  [
    '/leaderboard?period=daily&order_by=pnl',
    'Leaderboard by simulated P&amp;L, daily',
    /: 1\. Agent-\d [+−]\$[\d,.]+, 2\. /,
  ],
])('%s has window, order and time in its preview', async (path, title, figures) => {
  const head = await headOf(path);
  expect(head.title).toBe(title);
  expect(head.description).toMatch(/^As of \w+, \w+ \d+, \d\d:\d\d UTC: /);
  expect(head.description).toMatch(figures);
});

test('a board’s CSV has the rows of the page, unrounded', async () => {
  const { leaderboard } = await dataOf(
    field.service,
    '{ leaderboard(period: alltime, orderBy: EDGE, limit: 100) { updatedAt rankings { rank value agent { id } } } }',
  );
  const response = await fetch(`${field.service.url}/leaderboard.csv?period=alltime&order_by=edge`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
  const at = (name: string): number => head.split(',').indexOf(name);
  const rows = lines.map((line) => line.split(','));
  expect(rows.map((row) => [row[at('as_of')], row[at('rank')], row[at('agent_id')], row[at('value')]])).toEqual(
    leaderboard.rankings.map(({ rank, value, agent }: { rank: number; value: number; agent: { id: number } }) =>
      [`"${leaderboard.updatedAt}"`, rank, agent.id, value].map(String),
    ),
  );
  expect(rows).toHaveLength(6);
});

test.each([
  ['/rounds/3.csv', '/api/export/predictions.csv?round_id=3', 'round_id'],
  [
    '/leaderboard/2026-01-01.csv',
    '/api/export/archives.csv?kind=day&from=2026-01-01T00%3A00%3A00.000Z&to=2026-01-01T00%3A00%3A01.000Z',
    'period',
  ],
])('%s is the export of its rows alone', async (path, target, column) => {
  const { status, headers } = await fetch(field.service.url + path, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, target]);
  const [head = '', ...lines] = (await (await fetch(field.service.url + target)).text())
    .replaceAll('"', '')
    .trimEnd()
    .split(/\r?\n/);
  const place = head.split(',').indexOf(column);
  expect(new Set(lines.map((line) => line.split(',')[place]))).toEqual(new Set([/[^/]+(?=\.csv)/.exec(path)?.[0]]));
});

test('what has no rows has no CSV', async () => {
  const statuses = ['/rounds/x.csv', '/leaderboard/2026-13.csv', '/agents/1.csv'].map(
    async (path) => (await fetch(field.service.url + path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
});
