import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { ADMIN_ACTIONS, ADMIN_LISTS } from '../../src/rules/admin-actions.ts';
import { adminCommand } from '../../src/operating/command-line.ts';
import { faultyServer } from '../clients/faulty-server.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import { newestAction, statusOf, TOKEN, waitingRound } from './admin.ts';

const BIN = join(import.meta.dirname, '../../bin/hourcast.js');

const service = sharedService(() => ({ adminToken: TOKEN }));
let player: Player;
let spokenIn: number;

beforeAll(async () => {
  player = await register(service, 'player');
  await predict(service, player, { model: 'a model' });
  spokenIn = (await currentRound(service)).id;
});

function admin(...words: readonly string[]) {
  return adminCommand(words, { HOURCAST_URL: service.url, ADMIN_TOKEN: TOKEN });
}

test('npx hourcast admin is a command of the service’s own binary', async () => {
  const env = { ...process.env, HOURCAST_URL: service.url, ADMIN_TOKEN: TOKEN };
  const run = (...words: readonly string[]) => promisify(execFile)(process.execPath, [BIN, 'admin', ...words], { env });
  expect((await run('audit')).stdout).toMatch(/^actions: none\nnext: null\n$/);
  await expect(run('unblock', `${player.id}`, '--reason', 'By command')).rejects.toMatchObject({
    code: 1,
    stderr: `Agent ${player.id} is not blocked.\n`,
  });
  expect((await run('--help')).stdout).toContain('npx hourcast admin <command>');
});

describe('every action', () => {
  const AGENTS = ['rekey', 'rename', 'block', 'unblock', 'hide', 'remove'] as const;

  test.each(AGENTS)('%s has a dry run, acts, and is in the audit', async (action) => {
    const reason = ['--reason', `By command: ${action}`, ...(action === 'hide' ? ['--round', `${spokenIn}`] : [])];
    const dry = await admin(action, `${player.id}`, ...reason, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^effect: .+$/m) });
    expect((await newestAction(service)).reason).not.toBe(reason[1]);
    const done = await admin(action, `${player.id}`, ...reason, '--json');
    expect(JSON.parse(done.stdout ?? '')).toMatchObject({ agent_id: player.id, effect: expect.any(String) });
    expect(await newestAction(service)).toMatchObject({ action, agent_id: player.id, reason: reason[1] });
  });

  test('every action on rounds has a dry run, acts, and is in the audit', async () => {
    const {
      id,
      choices: [answer = ''],
    } = await waitingRound(service, await register(service, 'second'));
    for (const action of ['retry', 'void', 'resolve', 'amend'] as const) {
      const outcome = action === 'amend' ? ['--outcome', answer] : [];
      expect((await admin(action, `${id}`, '--reason', `By command: ${action}`, ...outcome)).code).toBe(0);
      expect(await newestAction(service)).toMatchObject({ action, round_id: id, reason: `By command: ${action}` });
    }
    expect(await statusOf(service, id)).toBe('resolved');
    const again = await admin('amend', `${id}`, '--reason', 'Seen anew', '--from-evidence');
    const sentence = `The market has no decision for round ${id} now. The source does not have all final candles.\n`;
    expect(again).toEqual({ code: 1, stderr: sentence });
    expect(ADMIN_ACTIONS.map(({ name }) => name)).toEqual(['void', 'retry', 'resolve', 'amend', ...AGENTS, 'rotate']);
  });

  test('rekey shows the new key, and rename accepts a name', async () => {
    const { id } = await register(service, 'third');
    expect((await admin('rekey', `${id}`, '--reason', 'Lost')).stdout).toMatch(/^api_key: pk_live_[0-9a-f]{48}$/m);
    expect((await admin('rename', `${id}`, '--reason', 'Asked for', '--name', 'fourth')).code).toBe(0);
    expect((await admin('agents', '--search', 'third')).stdout).toContain('name fourth, state free');
  });
});

test.each(ADMIN_LISTS.map(({ name }) => name))('the list %s equals that of its endpoint', async (name) => {
  const { code, stdout = '' } = await admin(name, '--json');
  expect(code).toBe(0);
  const { body } = await service.request('GET', `/admin/${name}`, { key: TOKEN });
  expect(JSON.parse(stdout)).toEqual(body);
  expect((await admin(name)).stdout).toMatch(/^\w+: /);
});

test.each([
  [['nothing'], /There is no command "nothing"\./],
  [['void'], /void needs the id of one of the rounds/],
  [['void', '1'], /void needs --reason/],
  [['void', '1', '--reason', 'x', '--name', 'y'], /void has no option --name/],
  [['void', '1', '2', '--reason', 'x'], /void was given too many words/],
  [['audit', '7'], /audit was given too many words/],
  [['audit', '--search', 'x'], /audit has no option --search/],
  [['audit', '--bogus'], /--bogus/],
])('the wrong command %j exits with code 2 and one sentence, without a request', async (words, sentence) => {
  const { code, stdout, stderr } = await admin(...words);
  expect([code, stdout]).toEqual([2, undefined]);
  expect(stderr).toMatch(sentence);
});

test('the path of HOURCAST_URL is kept', async () => {
  await using server = await faultyServer([{ status: 200, body: { actions: [] } }]);
  for (const HOURCAST_URL of [`${server.url}/arena`, `${server.url}/arena/`])
    expect(await adminCommand(['audit'], { HOURCAST_URL, ADMIN_TOKEN: TOKEN })).toMatchObject({ code: 0 });
  expect(server.received.map(({ requestLine }) => requestLine)).toEqual(Array(2).fill('GET /arena/admin/audit'));
});

test('a refusal exits with code 1 and its message, an unreachable service with code 3', async () => {
  expect(await admin('void', '4711', '--reason', 'x')).toEqual({ code: 1, stderr: 'There is no round 4711.\n' });
  const wrong = await adminCommand(['audit'], { HOURCAST_URL: service.url, ADMIN_TOKEN: 'wrong' });
  expect(wrong).toEqual({ code: 1, stderr: expect.stringMatching(/^This endpoint is for operators/) });
  const absent = await adminCommand(['audit'], { HOURCAST_URL: 'http://127.0.0.1:1', ADMIN_TOKEN: TOKEN });
  expect(absent).toEqual({ code: 3, stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer/) });
  expect((await adminCommand(['audit'], {})).code).toBe(2);
  // The address itself is refused if a service runs there.
  const { stderr = '' } = await adminCommand(['audit'], { HOURCAST_URL: '', ADMIN_TOKEN: 'wrong' });
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:3000 does not answer|^This endpoint is for operators/);
});
