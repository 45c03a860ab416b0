import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

import { EVENT_KINDS } from '../../src/entities/event.ts';
import { CLOSE } from '../../src/feed/socket.ts';
import { FEED_LIMITS, LIMITS } from '../../src/limits.ts';

const text = readFileSync(new URL('../../docs/dashboards.md', import.meta.url), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| '));

test('every close code of a WebSocket has its row', () => {
  const named = new Set(rows.flatMap((row) => (row.split('|')[1] ?? '').match(/\d{4}/g) ?? []).map(Number));
  expect(
    Object.values(CLOSE)
      .map(({ code }) => code)
      .filter((code) => !named.has(code)),
  ).toEqual([]);
});

test('every kind of event has its row of payloads', () => {
  const named = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/[A-Z]+_[A-Z]+|FORECAST/g) ?? []);
  expect(new Set(named)).toEqual(new Set(EVENT_KINDS));
});

test('the documented limits are the real ones', () => {
  const { graphqlRequest, currentRound, subscriptionReplays, subscriptionUpdates } = LIMITS;
  const figures = new Intl.NumberFormat('en-US');
  expect(rows.find((row) => row.startsWith('| messages on sockets'))).toContain(
    `| ${graphqlRequest.requests}; pings, pongs and \`complete\` are free, ${FEED_LIMITS.controlMessagesPerMinute} for each`,
  );
  expect(rows.find((row) => row.startsWith('| starting subscriptions'))).toContain(`: ${currentRound.requests} |`);
  expect(rows.find((row) => row.startsWith('| cost of initial state'))).toContain(
    figures.format(subscriptionReplays.requests),
  );
  expect(rows.find((row) => row.startsWith('| cost of live updates'))).toContain(
    figures.format(subscriptionUpdates.requests),
  );
});
