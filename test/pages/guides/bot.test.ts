import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { until } from '../../support/poll.ts';
import { startService } from '../../support/service.ts';

const GUIDE = new URL('../../../docs/agents.md', import.meta.url);

test("the guide's bot registers, and answers two rounds", async () => {
  const service = await startService();
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const bot = spawn(process.execPath, ['--input-type=module', '-'], {
    env: { ...process.env, HOURCAST_URL: service.url },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const entryOf = (round: number) =>
    until(`an entry in round ${round}`, async () => {
      const { body } = await service.request('GET', `/api/rounds/${round}/entries`);
      return body.entries.length > 0 && body.entries;
    });
  const entry = expect.objectContaining({ agent_name: expect.stringMatching(/^bot-/), score: null });
  try {
    bot.stdin.end(program);
    expect(await entryOf(1)).toEqual([entry]);
    await service.nextHour();
    expect(await entryOf(2)).toEqual([entry]);
  } finally {
    bot.kill();
    await service.stop();
  }
});
