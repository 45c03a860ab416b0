import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';

process.env.LLM_URL = '';
const { forecast } = await import('./bot.mjs');

const ASSETS = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];
const market = {
  timestamp: '2026-01-01T12:30:00.000Z',
  assets: Object.fromEntries(ASSETS.map((asset, n) => [asset, { price_usd: 100, change_1h: n - 3.5, change_24h: 1 }])),
};
const general = { id: 7, question: 'Which?', start_time: '2026-01-01T12:00:00.000Z' };
const choice = {
  ...general,
  prediction_format: 'choice',
  question_type: 'best_performer',
  choices: ASSETS,
  params: {},
};
const boolean = {
  ...general,
  prediction_format: 'boolean',
  question_type: 'direction',
  choices: ['YES', 'NO'],
  params: { subject: 'BTC', operator: '>', threshold_pct: null },
};

for (const round of [
  choice,
  boolean,
  { ...boolean, params: { subject: null, operator: '<=', threshold_pct: '0.3' } },
]) {
  test(`the answer to a ${round.prediction_format} question is one of its choices, with a percentage`, async () => {
    const { prediction, confidence } = await forecast({ round, market, recent: [] });
    assert.ok(round.choices.includes(prediction));
    assert.ok(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100);
  });
}

test('a run sends one prediction and the standing answers, and nothing else', async () => {
  const key = `pk_live_${'0'.repeat(48)}`;
  const answers = {
    '/api/rounds/current': { round: choice, time_remaining_seconds: 1800 },
    '/api/data/market': market,
    '/api/rounds/recent?limit=50': { rounds: [] },
    '/api/me/standing': { rows: [] },
  };
  const sent = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET')
      sent.push({ path: request.url, key: request.headers.authorization, body: await json(request) });
    response.end(JSON.stringify(answers[request.url] ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const env = { ...process.env, HOURCAST_URL: `http://127.0.0.1:${server.address().port}`, HOURCAST_KEY: key };
    await promisify(execFile)(process.execPath, ['bot.mjs'], { cwd: import.meta.dirname, env });
  } finally {
    server.close();
  }
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/api/me/standing', '/api/predictions'],
  );
  assert.equal(sent[0].body.rows.length, 13);
  assert.equal(sent[1].key, `Bearer ${key}`);
  assert.equal(sent[1].body.round_id, 7);
  assert.ok(ASSETS.includes(sent[1].body.prediction));
});
