import { describe, expect, test } from '@jest/globals';

import { dataOf } from '../support/asking.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ rateLimits: true }));

interface Change {
  readonly version: string;
  readonly date: string;
  readonly kind: string;
  readonly text: string;
}

async function changes(query = ''): Promise<readonly Change[]> {
  return (await service.request('GET', `/api/changes${query}`)).body.changes;
}

const versionsOf = (all: readonly Change[]) => [...new Set(all.map(({ version }) => version))];

describe('changes', () => {
  test('all released versions are listed, the newest first, each change with its day and kind', async () => {
    const all = await changes();
    expect(versionsOf(all).slice(-3)).toEqual(['0.3.0', '0.2.0', '0.1.0']);
    expect(all.filter(({ version, kind }) => version === '0.2.0' && kind === 'fixed')[0]).toEqual({
      version: '0.2.0',
      date: '2026-11-22',
      kind: 'fixed',
      text: 'A wrong system clock harms no database; a jump ahead counts after a minute.',
    });
    expect(all.some(({ text }) => text.includes('\n'))).toBe(false);
  });

  test('since leaves out that version and older ones, also a version that was never released', async () => {
    expect(versionsOf(await changes('?since=0.1.0')).slice(-2)).toEqual(['0.3.0', '0.2.0']);
    expect(versionsOf(await changes('?since=0.2.7')).at(-1)).toBe('0.3.0');
    expect(await changes('?since=99.0.0')).toEqual([]);
    const { changes: queried } = await dataOf(service, '{ changes(since: "0.2.0") { version } }');
    expect(queried).toHaveLength((await changes('?since=0.2.0')).length);
  });

  test.each(['v0.3.0', '0.3', '0.3.0-beta', '1e9.0.0', '%20', '01.0.0'])('since=%s is refused', async (since) => {
    const { status, body } = await service.request('GET', `/api/changes?since=${since}`);
    const given = decodeURIComponent(since);
    expect([status, body.param, body.error]).toEqual([
      400,
      'since',
      `since must be a version such as 0.3.0 (got "${given}").`,
    ]);
  });

  test('the answer may be stored and is revalidated by its ETag', async () => {
    const headers = { 'Cache-Control': 'max-age=0' };
    const first = await fetch(`${service.url}/api/changes`, { headers });
    const tag = first.headers.get('etag') ?? '';
    const again = await fetch(`${service.url}/api/changes`, { headers: { ...headers, 'If-None-Match': tag } });
    expect([first.headers.get('cache-control'), again.status, again.headers.get('etag')]).toEqual([
      'no-cache',
      304,
      tag,
    ]);
  });
});
