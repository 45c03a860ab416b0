import { describe, expect, test } from '@jest/globals';

import { checked } from '../../clients/js/src/cli/checks/check.ts';
import { checkFeed } from '../../clients/js/src/cli/checks/feed.ts';
import { connectionOf, createClient } from '../../clients/js/src/client.ts';
import { streamedLines } from '../../clients/js/src/stream.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { whereInstalled } from '../support/installed.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { faultyServer, refusal, type Step } from './faulty-server.ts';
import { KEY, PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';

/* `doctor` of every language beside a service that answers about its health and refuses the rest. */

const { version } = packageFile;
const health = {
  version,
  clock: { now: '2026-01-01T00:00:00.000Z', speed: 60 },
  market_source: 'live',
  sources: [],
};
const HEALTHY: Step = { status: 200, body: health };
/** As behind a proxy that withholds the stream. */
const SILENT_FEED: Step = {
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: ':\n\n',
  isOpen: true,
};
const NO_PRICES: Step = { status: 503, body: { error: 'There are no prices from live yet.', code: 'no_prices_yet' } };

describe.each(COMMAND_LINES)('doctor in $language', (line) => {
  test('doctor reports every check, also those that are impossible', async () => {
    await using server = await faultyServer([HEALTHY, NO_PRICES, refusal(503, 'unavailable')]);
    const { code, stdout } = await line.run(['doctor', '--json'], { url: server.url, key: KEY });
    const { ok, checks } = JSON.parse(stdout);
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    const found = checks.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
    const failed = ['market failed', 'mode failed', 'feed failed', 'round failed'];
    expect(found).toEqual(['reach ok', 'version ok', 'clock warning', ...failed, 'budgets ok']);
    expect(checks).toContainEqual({ name: 'market', state: 'failed', detail: 'There are no prices from live yet.' });
  });
});

describe('a feed that is open and silent', () => {
  test('the check of the feed fails', async () => {
    await using server = await faultyServer([SILENT_FEED]);
    const client = createClient({ url: server.url, key: '' });
    const found = await checked('feed', () => checkFeed(client, new AbortController().signal));
    expect(found).toEqual({ name: 'feed', state: 'failed', detail: `${server.url} did not answer within 15 s.` });
  });

  test('its error has the time of the silence, not that of a call', async () => {
    await using server = await faultyServer([SILENT_FEED]);
    const request = { method: 'GET', path: '/api/events', endpoint: 'GET /api/events' };
    const lines = streamedLines(connectionOf({ url: server.url, key: '' }), request, 100);
    const read = async (): Promise<void> => {
      for await (const line of lines) expect(line).toMatch(/^:?$/);
    };
    await expect(read()).rejects.toThrow(`${server.url} did not answer within 0.1 s.`);
  });

  whereInstalled(['python3'], 'in Python', () => {
    test('its error has the time of the silence, not that of a call', async () => {
      await using server = await faultyServer([SILENT_FEED]);
      const env = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await run(['python3', '-c', SILENCE_IN_PYTHON, server.url], { env });
      expect(stdout).toBe(`${server.url} did not answer within 0.2 s.\n`);
    });
  });
});

const SILENCE_IN_PYTHON = `
import sys
from hourcast import Client, HourcastError
from hourcast.transport import Request, streamed_lines
try:
    list(streamed_lines(Client(sys.argv[1], "").connection, Request("GET", "/api/events", "GET /api/events"), 0.2))
except HourcastError as error:
    print(error)
`;
