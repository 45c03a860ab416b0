import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type FaultyServer, faultyServer } from './faulty-server.ts';
import { askIn, INSTALLED, KEY, valuesOf, type Wish } from './languages.ts';
import { ownFolder } from '../support/own-folder.ts';

/* Where both constructors take the service's address and the agent's key from, and what they refuse. */

const OTHER_KEY = `pk_live_${'f'.repeat(48)}`;
const ELSEWHERE = 'http://127.0.0.1:9';
const ASKED = { method: 'currentRound', patience: 0 };

const folder = ownFolder();
let server: FaultyServer;

beforeAll(async () => {
  server = await faultyServer([{ status: 200, body: { round: null } }]);
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Given {
  /** What stands in hourcast.json; unset: there is none. */
  readonly kept?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly wish?: Wish;
}

/** In each language: what comes of it, and the keys of the requests that came to the server. */
async function inEach({ kept, env = {}, wish = {} }: Given) {
  const ends = [];
  for (const language of INSTALLED) {
    const cwd = await mkdtemp(join(folder, 'own-'));
    if (kept !== undefined) writeFileSync(join(cwd, 'hourcast.json'), kept);
    const before = server.received.length;
    const { stdout, stderr } = await askIn(language, { ...ASKED, ...wish }, { cwd, env }).ended;
    const keys = server.received.slice(before).map(({ authorization }) => authorization?.replace('Bearer ', ''));
    ends.push({ keys, values: valuesOf(stdout), written: stdout + stderr });
  }
  return ends;
}

const kept = (url = server.url): string => JSON.stringify({ url, agent: 'bot', key: KEY });

describe(`settings of clients in ${INSTALLED.map(({ language }) => language).join(' and ')}`, () => {
  test.each<{ what: string; given: () => Given; key: string | undefined }>([
    { what: 'the address and the key stored by register', given: () => ({ kept: kept() }), key: KEY },
    {
      what: 'the stored key for the same address with a slash',
      given: () => ({ kept: kept(), env: { HOURCAST_URL: `${server.url}/` } }),
      key: KEY,
    },
    {
      what: 'the stored key for the same address of its caller',
      given: () => ({ kept: kept(`${server.url}/`), wish: { url: `${server.url}//` } }),
      key: KEY,
    },
    {
      what: 'no key to another address than the file’s',
      given: () => ({ kept: kept(ELSEWHERE), env: { HOURCAST_URL: server.url } }),
      key: undefined,
    },
    {
      what: 'the environment’s key rather than the stored one',
      given: () => ({ kept: kept(), env: { HOURCAST_KEY: OTHER_KEY, HOURCAST_URL: server.url } }),
      key: OTHER_KEY,
    },
    {
      what: 'its caller’s key rather than others',
      given: () => ({ kept: kept(), env: { HOURCAST_URL: server.url }, wish: { key: OTHER_KEY } }),
      key: OTHER_KEY,
    },
    {
      what: 'no key if its caller’s is empty',
      given: () => ({ kept: kept(), env: { HOURCAST_URL: server.url, HOURCAST_KEY: KEY }, wish: { key: '' } }),
      key: undefined,
    },
    {
      what: 'the environment’s key to the stored address',
      given: () => ({ kept: kept(), env: { HOURCAST_KEY: OTHER_KEY } }),
      key: OTHER_KEY,
    },
    {
      what: 'its caller’s key to the stored address',
      given: () => ({ kept: kept(), wish: { key: OTHER_KEY } }),
      key: OTHER_KEY,
    },
    { what: 'no key if none is set', given: () => ({ env: { HOURCAST_URL: server.url } }), key: undefined },
  ])('a client sends $what', async ({ given, key }) => {
    for (const { keys, values } of await inEach(given())) {
      expect(values).toEqual([{ answer: { round: null } }]);
      expect(keys).toEqual([key]);
    }
  });

  test('a client refuses a malformed key, sends nothing and does not print it', async () => {
    const wrong = [
      `${KEY.slice(0, 20)}\n${KEY.slice(20)}`,
      `${KEY}\n`,
      `\u201C${KEY}\u201D`,
      KEY.slice(0, -1),
      KEY.toUpperCase(),
      KEY.replace('live', 'test'),
    ];
    const messages = wrong.map(
      (key) => `The key must be pk_live_ and 48 hexadecimal digits (got ${key.length} characters).`,
    );
    const wish = { key: '', constructed: wrong.map((key) => ({ url: server.url, key })) };
    for (const { values, written } of await inEach({ env: { HOURCAST_URL: server.url }, wish })) {
      const refused = messages.map((message) => ({
        error: expect.objectContaining({ code: 'malformed_key', message }),
      }));
      expect(values).toEqual([...refused, { answer: { round: null } }]);
      expect(written).not.toContain(KEY.slice(-20, -4));
    }
  });

  test.each([
    { place: 'HOURCAST_KEY', given: (key: string) => ({ env: { HOURCAST_URL: server.url, HOURCAST_KEY: key } }) },
    {
      place: 'hourcast.json',
      given: (key: string) => ({ kept: JSON.stringify({ url: server.url, agent: 'bot', key }) }),
    },
  ])('the error of a malformed key has its source $place', async ({ place, given }) => {
    const message = `The key must be pk_live_ and 48 hexadecimal digits (got 55 characters in ${place}).`;
    for (const { keys, values } of await inEach(given(KEY.slice(1)))) {
      expect(values).toEqual([{ error: expect.objectContaining({ code: 'malformed_key', message }) }]);
      expect(keys).toEqual([]);
    }
  });

  test('a client refuses a malformed address', async () => {
    const wrong = [
      '127.0.0.1:3000',
      '',
      'localhost:3000',
      'ftp://127.0.0.1',
      'http://',
      'http://127.0.0.1:99999',
      'http://a b',
    ];
    const [last = '', ...others] = wrong;
    const wish = { constructed: others.map((url) => ({ url })) };
    for (const { values } of await inEach({ env: { HOURCAST_URL: last }, wish })) {
      expect(values).toEqual(
        [...others, last].map((url) => ({
          error: expect.objectContaining({
            code: 'malformed_settings',
            message: `The address must be one such as http://127.0.0.1:3000 (got ${url}).`,
          }),
        })),
      );
    }
  });

  test.each(['{', '[]', '{"url": "http://127.0.0.1"}'])('a client refuses %j in hourcast.json', async (text) => {
    for (const { values } of await inEach({ kept: text, env: { HOURCAST_URL: server.url } })) {
      const message = 'hourcast.json must hold url, agent and key, as "register" writes them.';
      expect(values).toEqual([{ error: expect.objectContaining({ code: 'malformed_settings', message }) }]);
    }
  });
});
