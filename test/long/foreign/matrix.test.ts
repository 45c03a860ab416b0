import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Program, run, start } from '../../clients/programs.ts';
import { cutProxy } from '../../feed/cut-proxy.ts';
import { type Player, register } from '../../support/agents.ts';
import { openFolder } from '../../support/data-folder.ts';
import { until } from '../../support/poll.ts';
import { startService, type TestService } from '../../support/service.ts';

/*
 * Other people's clients in their default settings. They are a package of their own, which comes from the registry, or from
 * npm's cache.
 */

const ROOT = join(import.meta.dirname, '../../..');
const folder = await openFolder('hourcast-foreign-');
for (const name of ['package.json', 'package-lock.json', 'programs'])
  cpSync(join(import.meta.dirname, name), join(folder, name), { recursive: true });
const installed = spawnSync('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: folder,
});
const isInstalled = installed.status === 0;
if (!isInstalled && process.env['CI'] === 'true') throw new Error(`npm ci of the clients: ${String(installed.stderr)}`);
const NAME = 'clients of other people, as they come';

afterAll(() => rm(folder, { recursive: true }));

/** What a program has said so far. */
function linesOf({ stdout }: Pick<Program, 'stdout'>): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

function program(name: string, ...parameters: readonly string[]): readonly string[] {
  return [process.execPath, join(folder, 'programs', `${name}.mjs`), ...parameters];
}

async function curl(...parameters: readonly string[]) {
  const { code, stdout } = await run(['curl', '-sS', ...parameters]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

(isInstalled ? describe : describe.skip)(isInstalled ? NAME : `${NAME} (skipped: they cannot be installed)`, () => {
  let service: TestService;
  let players = 0;
  beforeAll(async () => {
    service = await startService();
    await service.nextHour();
  });
  afterAll(() => service.stop());

  const settings = ({ key }: Player, url = service.url) => ({
    env: { HOURCAST_URL: url, HOURCAST_KEY: key, HOURCAST_SCHEMA: readFileSync(join(ROOT, 'schema.graphql'), 'utf8') },
  });
  const newPlayer = () => register(service, `foreign-${(players += 1)}`, { mode: 'compete' });

  test.each(['urql', 'apollo', 'graphql-request', 'gql-tada', 'relay'])(
    '%s reads the round and predicts',
    async (name) => {
      const { code, stdout, stderr } = await run(program(name), settings(await newPlayer()));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(linesOf({ stdout: () => stdout })).toEqual([
        { round: expect.any(Number) },
        { predicted: expect.any(String) },
      ]);
    },
  );

  test.each(['graphql-ws', 'eventsource', 'event-source-polyfill'])(
    '%s reads the round, and gets every event once over a broken connection',
    async (name) => {
      await using proxy = await cutProxy(service.url);
      const client = start(program(name), settings(await newPlayer(), proxy.url));
      try {
        const received = () => linesOf(client).flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []));
        await until(`${name} hears of the past`, async () => received().length > 0);
        proxy.cut();
        const before = received().length;
        await service.nextHour();
        await until(`${name} hears of the hour that came`, async () => received().length > before);
        const seqs = received();
        expect(seqs).toEqual(seqs.map((_, place) => place + 1));
        expect(linesOf(client)[0]).toEqual({ round: expect.any(Number) });
        // The polyfill prints by itself that its line was cut.
        if (name !== 'event-source-polyfill') expect(client.stderr()).toBe('');
      } finally {
        client.kill('SIGKILL');
        await client.ended;
      }
    },
  );

  test.each(['mcp-sdk-1.31', 'mcp-sdk-1.32', '@modelcontextprotocol/client'])(
    'the MCP client %s reads the round, predicts, and reads each refusal',
    async (name) => {
      const { code, stdout, stderr } = await run(program('mcp', name), settings(await newPlayer()));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const [round, predicted, ...refusals] = linesOf({ stdout: () => stdout });
      expect([round, predicted]).toEqual([{ round: expect.any(Number) }, { predicted: expect.any(String) }]);
      expect(refusals.map(({ said: lines }) => lines)).toEqual(refusals.map(({ refused }) => refused));
      expect(refusals).toHaveLength(5);
    },
  );

  test('curl reads the round by GET, and predicts', async () => {
    const { key } = await newPlayer();
    const { data } = await curl(
      '-G',
      `${service.url}/graphql`,
      '--data-urlencode',
      'query={ currentRound { id choices } }',
    );
    const { id, choices } = data.currentRound;
    const body = JSON.stringify({ round_id: id, prediction: choices[0], confidence: 60 });
    const headers = ['-H', `authorization: Bearer ${key}`, '-H', 'content-type: application/json; charset=utf8'];
    const answer = await curl(...headers, '-d', body, `${service.url}/api/predictions`);
    expect(answer.prediction.prediction).toBe(choices[0]);
  });
});
