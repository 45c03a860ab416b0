import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { EXPORT_LISTS } from '../../src/export/lists.ts';
import { sharedService } from '../support/shared.ts';
import { insertHistory } from '../support/many-rows.ts';

const GUIDE = readFileSync('docs/analysts.md', 'utf8');
/** The addresses that the guide's commands ask. */
const ASKED = [
  ...GUIDE.matchAll(/^curl .*?['"](?:localhost:3000)(\/[^'"]*)['"]/gm),
  ...GUIDE.replaceAll(/^hourcast-client export (\w+)/gm, '/api/export/$1.ndjson').matchAll(/^(\/api\/export\/\S+)/gm),
].map(([, path = '']) => path.replace('$after', '0'));

const service = sharedService();
beforeAll(() => insertHistory(service.newEm(), { agents: 3, rounds: 4 }));

test('the guide has commands', () => {
  expect(ASKED.length).toBeGreaterThanOrEqual(5);
});

test.each(ASKED)('the guide’s command for %s is answered', async (path) => {
  const cut = new AbortController();
  const response = await fetch(service.url + path, { signal: cut.signal });
  expect(response.status).toBe(200);
  cut.abort();
});

test('the guide’s export of an agent has only that agent', async () => {
  const [path = ''] = ASKED;
  expect(path).toContain('agent=my-first-agent');
  const { body } = await service.request('GET', path.replace('my-first-agent', 'agent-2'));
  const rows = String(body).trimEnd().split('\r\n').slice(1);
  expect(rows).toHaveLength(4);
  expect(rows.every((row) => row.includes('"agent-2"'))).toBe(true);
});

describe.each(EXPORT_LISTS.open)('dictionary of $name', (list) => {
  test('the dictionary of the list is in the guide', () => {
    expect(GUIDE).toContain(`<!-- table: export_${list.name} -->`);
  });

  test('every parameter of the list has a row', () => {
    for (const { name } of list.filters) expect(GUIDE).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
  });
});
