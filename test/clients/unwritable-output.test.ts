import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { describe, expect, test } from '@jest/globals';

import { COMMAND_LINES } from './command-lines.ts';
import { faultyServer, type Step } from './faulty-server.ts';
import { KEY } from './languages.ts';
import { scopedFolder } from '../support/own-folder.ts';

const FULL = '/dev/full';
const WEBHOOKS: Step = { status: 200, body: { webhooks: [] } };
const ROWS: Step = { status: 200, body: '{"id":1}\n' };

(existsSync(FULL) ? describe : describe.skip)('output onto a full disk', () => {
  test.each([
    { words: ['webhooks'], step: WEBHOOKS },
    { words: ['webhooks', '--json'], step: WEBHOOKS },
    { words: ['export', 'rounds'], step: ROWS },
  ])('$words exits with 1 and one sentence', async ({ words, step }) => {
    for (const line of COMMAND_LINES) {
      await using server = await faultyServer([step]);
      const { code, stderr } = await line.runInto(FULL, words, { url: server.url, key: KEY });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^.*no space left on device.*\n$/i) });
    }
  });

  test('a key that cannot be stored leaves no file behind', async () => {
    const body = { agent: { name: 'bot' }, api_key: KEY };
    for (const line of COMMAND_LINES) {
      await using server = await faultyServer([{ status: 201, body }]);
      await using folder = await scopedFolder();
      const cwd = folder.path;
      const { code } = await line.runInto('/dev/null', ['register', 'bot'], { url: server.url, cwd, maxFileBlocks: 0 });
      expect({ code, files: await readdir(cwd) }).toEqual({ code: 1, files: [] });
    }
  });

  test('a failure that would be written there is one sentence', async () => {
    for (const line of COMMAND_LINES) {
      const { code, stderr } = await line.runInto(FULL, ['limits', '--json'], { url: 'http://127.0.0.1:1' });
      expect({ isFailed: code !== 0, stderr }).toEqual({ isFailed: true, stderr: expect.stringMatching(/^[^\n]+\n$/) });
    }
  });
});
