import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { openFolder } from '../support/data-folder.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { whereInstalled } from '../support/installed.ts';
import { launch, type RunningService, type Settings } from '../support/process.ts';

/*
 * README's blocks as somebody pastes them, in order, into a copy of the project. `npm ci` is left out: the copy has the
 * packages of this one; and the port is one that is free. An hour takes 3 s rather than 30.
 */

const ROOT = join(import.meta.dirname, '../..');
const NOT_CLONED = /^(node_modules|\.git|\.data.*|coverage|.*\.log)$/;

let parent: string;
let clone: string;
let port: string;
let blocks: readonly string[];
let servers: readonly string[];
let running: RunningService | undefined;
let key: string | undefined;

beforeAll(async () => {
  parent = await openFolder('hourcast-readme-');
  clone = join(parent, 'hourcast');
  cpSync(ROOT, clone, { recursive: true, filter: (path) => path === ROOT || !NOT_CLONED.test(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  port = String(await fixedPort());
  blocks = [...readFileSync(join(clone, 'README.md'), 'utf8').matchAll(/^```sh\n(.+?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`).trim(),
  );
  servers = blocks.filter((block) => block.startsWith('npm ci && '));
});

afterAll(async () => {
  await running?.end('SIGKILL');
  for (const folder of ['.data-sandbox', '.data']) await stopEmbeddedPostgres(join(clone, folder));
  await rm(parent, { recursive: true, force: true });
});

/** Pastes a block that goes on until Ctrl-C; resolves when it says where it listens. */
async function begin(block: string, settings: Settings = {}): Promise<void> {
  const command = `cd ${clone} && ${block.replace('npm ci && ', 'exec ')}`;
  running = await launch({ PORT: port, LOG_FORMAT: 'pretty', ...settings }, ['/bin/sh', '-c', command]);
}

/** What Ctrl-C does: the whole group of the terminal gets the signal. */
async function pressCtrlC() {
  const { pid } = running?.child ?? {};
  if (running === undefined || pid === undefined) throw new Error('Nothing runs');
  process.kill(-pid, 'SIGINT');
  const { code, stdout, stderr } = await running.ended;
  return { code, stdout, stderr };
}

const SANDBOX = { CLOCK_SPEED: '1200' };
/** As they read what is pasted: an interactive zsh takes `#` for the name of a command. No prompt stands among complaints. */
const SHELLS = [
  ['bash', '-s'],
  ['zsh', '-f', '-i', '-s', '+o', 'prompt_sp', '+o', 'prompt_cr'],
] as const;
const NO_PROMPT = { PS1: '', PS2: '' };
const keyIn = (output: string): string | undefined => /HOURCAST_KEY=(pk_live_\w+)/.exec(output)?.[1];
/** Of the agent with this key the predictions that are scored. */
const scoredOf = async (ofKey = ''): Promise<number> => {
  const { body } = (await running?.get('/api/me', ofKey)) ?? {};
  return body.recent_predictions.filter(({ score }: { score: number | null }) => score !== null).length;
};

test('the README starts with the sandbox, uses another shell and ends with the service', () => {
  expect(servers).toEqual(['npm ci && npm run sandbox', 'npm ci && npm start']);
  expect(blocks.map((block) => servers.indexOf(block))).toEqual([0, -1, -1, -1, 1]);
});

test('the sandbox shows the key of an agent that has not predicted', async () => {
  await begin(servers[0] ?? '', SANDBOX);
  key = keyIn((await running?.written(/HOURCAST_KEY=pk_live_\w+\n/))?.[0] ?? '');
  expect(await scoredOf(key)).toBe(0);
});

test('the sandbox sends webhooks to any address, also to this machine', async () => {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/me/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/hook', kinds: ['round.opened'] }),
  });
  expect(status).toBe(201);
});

for (const [program, ...parameters] of SHELLS) {
  const name = `what is pasted into ${program} leads to a scored prediction and an agent of one's own`;
  const paste = async (): Promise<void> => {
    const scoredBefore = await scoredOf(key);
    const input = `${blocks.filter((block) => !servers.includes(block)).join('\n')}\n`;
    const env = { ...process.env, ...NO_PROMPT };
    const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: clone, encoding: 'utf8', env, input });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual([
      'success',
      'round',
      'agent',
      'period',
      'success',
      'data',
    ]);
    expect(await scoredOf(key)).toBe(scoredBefore + 1);
  };
  whereInstalled([program], name, () => test(name, paste));
}

test('the sandbox ends cleanly at Ctrl-C, and continues with the same key', async () => {
  const { code, stdout, stderr } = await pressCtrlC();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/error|failed|abort/i);
  await begin(servers[0] ?? '', SANDBOX);
  const again = await running?.written(/HOURCAST_KEY=pk_live_\w+\n/);
  expect(stdout).toMatch(/^Watch it: http:\/\/[^ ]+\/$/m);
  expect(keyIn(stdout)).toBe(key);
  expect(keyIn(again?.[0] ?? '')).toBe(key);
  expect(await scoredOf(key)).toBeGreaterThan(0);
  await pressCtrlC();
});

test('the service starts by the README’s command', async () => {
  await begin(servers[1] ?? '', { MARKET: 'simulated' });
  expect((await running?.get('/api/rounds/current'))?.status).toBe(200);
  expect((await pressCtrlC()).code).toBe(0);
});
