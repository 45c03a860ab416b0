import { expect, test } from '@jest/globals';

import { nullOr, TEXT } from './formats.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00.007Z' }));

test('health returns the status, name, time, version and source of prices', async () => {
  const { status, body } = await service.request('GET', '/api/health');
  expect(body).toEqual({
    status: 'ok',
    service: TEXT,
    timestamp: '2026-01-01T12:10:00.007Z',
    version: '9.9.9',
    market_source: 'scripted',
    warning: nullOr(TEXT),
    picks: 'open',
    sources: [{ source: 'scripted', state: 'up', last_success_at: null, last_error_at: null, last_error: null }],
    clock: { now: '2026-01-01T12:10:00.007Z', speed: 1 },
  });
  expect(status).toBe(200);
});
