import { describe, expect, test } from '@jest/globals';

import packageFile from '../../package.json' with { type: 'json' };
import { COMMAND_LINES } from './command-lines.ts';
import { faultyServer, refusal, type Step } from './faulty-server.ts';
import { KEY } from './languages.ts';

/* `doctor` of every language beside a service that answers about its health and refuses the rest. */

const { version } = packageFile;
const health = {
  version,
  clock: { now: '2026-01-01T00:00:00.000Z', speed: 60 },
  market_source: 'live',
  sources: [],
};
const HEALTHY: Step = { status: 200, body: health };
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
