import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { PREVIEW_SIZE } from '../../src/pages/pictures/preview-svg.ts';
import { LIMITS } from '../../src/limits.ts';
import { register } from '../support/agents.ts';
import { startService, type TestService } from '../support/service.ts';

const TEXT = readFileSync(new URL('../../docs/dashboards.md', import.meta.url), 'utf8');
const PATHS = Array.from(TEXT.matchAll(/^\| `(\/(?:embed|badge|preview)\/[^`]+)`/gm), ([, path = '']) => path);

let service: TestService;
let id: number;
beforeAll(async () => {
  service = await startService();
  ({ id } = await register(service, 'shown-elsewhere'));
});
afterAll(() => service.stop());

test.each(PATHS)('%s is served to other sites as documented', async (path) => {
  const address = path.replace('{path}', `agents/${id}`).replace('{id}', String(id));
  const { status, headers } = await fetch(service.url + address);
  expect({ status, policy: headers.get('cross-origin-resource-policy') }).toEqual({
    status: 200,
    policy: 'cross-origin',
  });
});

test('the guide has every path, the size of previews and the limit of an address', () => {
  const kinds = PATHS.map((path) => path.split('/', 3).join('/'));
  expect(new Set(kinds)).toEqual(
    new Set([
      '/embed/round',
      '/embed/board',
      '/embed/agent',
      '/badge/agent',
      '/preview/now.png',
      '/preview/{path}.png',
    ]),
  );
  expect(TEXT).toContain(`| ${PREVIEW_SIZE.width} x ${PREVIEW_SIZE.height} px |`);
  expect(TEXT).toContain(`\n${LIMITS.previews.requests} a minute.`);
});
