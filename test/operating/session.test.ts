import { createServer } from 'node:http';

import { expect, test } from '@jest/globals';
import express from 'express';

import { openSessions } from '../../src/operating/desk/session.ts';
import { listening } from '../support/listening.ts';
import { manualClock } from '../support/manual-clock.ts';

test('a session begins at a speed of the clock that makes no whole milliseconds of its duration', async () => {
  const sessions = openSessions('token', { ...manualClock('2026-01-01T12:00:00Z'), speed: 0.123_456_789 });
  const app = express();
  app.post('/admin/login', (_request, response) => {
    sessions.begin(response);
    response.end();
  });
  app.get('/admin', (request, response) => void response.json(sessions.of(request) !== null));
  await using server = await listening(createServer(app));
  const { headers } = await fetch(`${server.url}/admin/login`, { method: 'POST' });
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  expect(await (await fetch(`${server.url}/admin`, { headers: { cookie } })).json()).toBe(true);
});
