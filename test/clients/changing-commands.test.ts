import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, profileOf, register } from '../support/agents.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { COMMAND_LINES } from './command-lines.ts';

/* Commands that change something of an agent's, in every language: each language has an agent. */

const HOOK = 'https://hooks.example.com/hourcast';
const DONE = 0;
const FAILED = 1;

let service: TestService;

beforeAll(async () => {
  service = await startService({ webhooks: 'public', rateLimits: true });
});
afterAll(() => service.stop());

describe.each(COMMAND_LINES)('commands in $language', (line) => {
  let agent: Player;
  beforeAll(async () => {
    agent = await register(service, `changes-${line.language}`);
  });

  const command = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await line.run(words, { url: service.url, key: agent.key });
    return { code, stdout, stderr };
  };
  const output = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command(...words);
    expect({ code, stderr }).toEqual({ code: DONE, stderr: '' });
    return stdout;
  };
  const rows = async () => (await service.request('GET', '/api/me/standing', { key: agent.key })).body.rows;

  test('standing sets and removes one answer, and leaves the others', async () => {
    expect(await output('standing')).toBe('You have no standing predictions.\n');
    await output('standing', 'set', 'direction', 'no', '55%');
    await output('standing', 'set', 'direction', 'YES', '70', '--asset', 'btc');
    await output('standing', 'set', 'podium', 'ETH,BTC', '40');
    const table = await output('standing', 'set', 'Direction', 'YES', '60');
    expect(table).toMatch(/^direction +BTC +YES +70$/m);
    expect(table).toMatch(/^podium +any +ETH,BTC +40$/m);
    expect(await output('standing', 'list')).toBe(table);
    const byType = expect.arrayContaining([
      expect.objectContaining({ question_type: 'direction', asset: null, prediction: 'YES', confidence: 60 }),
      expect.objectContaining({ question_type: 'direction', asset: 'BTC', prediction: 'YES', confidence: 70 }),
      expect.objectContaining({ question_type: 'podium', prediction: ['ETH', 'BTC'], confidence: 40 }),
    ]);
    expect(await rows()).toEqual(byType);
    await output('standing', 'remove', 'direction', '--asset', 'BTC');
    expect(await rows()).toHaveLength(2);
    const again = await command('standing', 'remove', 'direction', '--asset', 'BTC');
    expect(again).toEqual({
      code: FAILED,
      stdout: '',
      stderr: 'You have no standing prediction for direction about BTC.\n',
    });
    await output('standing', 'remove', 'podium');
    expect(await output('standing', 'remove', 'direction')).toBe('You have no standing predictions.\n');
    expect(await rows()).toEqual([]);
    const refused = await command('standing', 'set', 'direction', 'MAYBE', '60');
    expect(refused).toMatchObject({ code: FAILED, stdout: '', stderr: expect.stringMatching(/YES, NO.*MAYBE/) });
  });

  test('webhooks adds, lists, tests and removes an address', async () => {
    expect(await output('webhooks')).toBe('You have no webhooks.\n');
    const added = await output('webhooks', 'add', HOOK, 'round.opened', 'round.resolved');
    const [, id = ''] = /^Webhook (\d+) is added: /.exec(added) ?? [];
    expect(await output('webhooks', 'list')).toContain(`active  ${HOOK}  round.opened,round.resolved\n`);
    expect(await output('webhooks', 'test', id)).toBe(`Webhook ${id} gets a test message: ${HOOK}\n`);
    expect(await output('webhooks', 'remove', id)).toBe(`Webhook ${id} is removed: ${HOOK}\n`);
    expect(await command('webhooks', 'remove', id)).toMatchObject({
      code: FAILED,
      stderr: `You have no webhook ${id}.\n`,
    });
    expect(await command('webhooks', 'add', HOOK, 'no.kind')).toMatchObject({ code: FAILED, stdout: '' });
  });

  test('predict sends the reasons and the model', async () => {
    const answer = firstOf((await currentRound(service)).choices);
    await output('predict', answer, '60', '--rationale', 'Momentum.\nHigh volume.', '--model', 'tiny-1');
    const { body } = await service.request('GET', '/api/me/predictions', { key: agent.key });
    expect(body.predictions).toMatchObject([{ rationale: 'Momentum.\nHigh volume.', model: 'tiny-1' }]);
  });

  test('limits shows what is left of every budget', async () => {
    await profileOf(service, agent);
    const { budgets } = (await service.request('GET', '/api/me/limits', { key: agent.key })).body;
    const shown = (await output('limits')).split('\n').slice(1, -1);
    expect(shown).toHaveLength(budgets.length);
    expect(shown.find((row) => row.startsWith('me '))).toMatch(/^me +\d+ +30 +minute +agent +60$/);
    expect(shown.find((row) => row.startsWith('rotateKey '))).toMatch(/^rotateKey +3 +3 +hour +agent$/);
  });
});
