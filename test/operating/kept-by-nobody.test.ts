import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, register } from '../support/agents.ts';
import { sharedService } from '../support/shared.ts';
import { act, look, TOKEN } from './admin.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));
let player: Player;
beforeAll(async () => {
  player = await register(service, 'player');
});

function caching({ headers }: Pick<Response, 'headers'>) {
  return { isKept: !/\bno-store\b/.test(headers.get('cache-control') ?? ''), etag: headers.get('etag') };
}

const KEPT_BY_NOBODY = { isKept: false, etag: null };

describe('no-store for operators', () => {
  test('the new key of an agent and the next action’s answer have no-store', async () => {
    const rekeyed = await act(service, 'rekey', player.id);
    expect({ status: rekeyed.status, key: rekeyed.body.api_key }).toEqual({
      status: 200,
      key: expect.stringMatching(/^pk_live_/),
    });
    expect(caching(rekeyed)).toEqual(KEPT_BY_NOBODY);
    expect(rekeyed.headers.get('cache-control')).toBe('no-store');
    expect(caching(await act(service, 'block', player.id))).toEqual(KEPT_BY_NOBODY);
  });

  test.each(['agents', 'audit', 'rounds', 'rounds/stuck', 'keys', 'queues', 'limits', 'attention'])(
    'the list %s has no-store',
    async (name) => {
      const answer = await look(service, `/admin/${name}`);
      expect({ status: answer.status, ...caching(answer) }).toEqual({ status: 200, ...KEPT_BY_NOBODY });
    },
  );

  test.each([
    ['GET', '/admin/agents', 401],
    ['POST', '/admin/agents/1/rekey', 401],
    ['GET', '/admin', 200],
    ['GET', '/admin/style.css', 200],
    ['POST', '/admin/login', 401],
    ['POST', '/admin/logout', 303],
    ['GET', '/admin/nothing', 401],
  ])('%s %s without the token has no-store (%i)', async (method, path, status) => {
    const answer = await fetch(service.url + path, { method, redirect: 'manual' });
    expect({ status: answer.status, ...caching(answer) }).toEqual({ status, ...KEPT_BY_NOBODY });
  });
});

test('refused actions have no-store too, and other answers keep their ETag', async () => {
  expect(caching(await act(service, 'rekey', player.id, null))).toEqual(KEPT_BY_NOBODY);
  expect((await service.request('GET', '/docs/agents.md')).headers.get('etag')).not.toBeNull();
  expect((await service.request('GET', '/livez')).status).toBe(200);
});
