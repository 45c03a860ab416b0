// From here on the service is asked. `node bot.mjs` answers the running round and ends; with --stay it answers every round.
import { existsSync, readFileSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ASSETS = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];
/** Given by the service in hours in which this program does not run. It sets them unless the agent has some. */
const STANDING = [
  standing('relative', ASSETS, 50),
  ...['best_performer', 'worst_performer', 'podium', 'volatility'].map((type) => standing(type, ASSETS, 15)),
  ...['direction', 'threshold', 'touch', 'magnitude', 'range', 'momentum', 'beat_market', 'breadth'].map((type) =>
    standing(type, 'NO', 50),
  ),
];

const FILE = fileURLToPath(import.meta.url);
const ACCOUNT = join(dirname(FILE), 'hourcast.json');
const SETTINGS = join(dirname(FILE), 'settings.env');
if (existsSync(SETTINGS)) process.loadEnvFile(SETTINGS);
const SERVICE = (process.env.HOURCAST_URL || 'http://127.0.0.1:3000').replace(/\/+$/, '');
const PASSING = [408, 429, 502, 503, 504];
const PATIENCE_MS = 300_000;
const LOOK_EVERY_MS = Number(process.env.HOURCAST_LOOK_SECONDS || 20) * 1000;

function standing(question_type, prediction, confidence) {
  return { question_type, prediction, confidence };
}

/** A refusal by the service, or no answer (status 0). */
class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The answer's body. Passing failures are tried again until `patienceMs` are over. */
async function call(method, path, { key, body, headers = {}, patienceMs = PATIENCE_MS } = {}) {
  const end = Date.now() + patienceMs;
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, 60)) {
    const { answer, refusal, waits = 0 } = await tryOnce(method, path, { key, body, headers });
    if (refusal === undefined) return answer;
    const waitMs = 1000 * Math.max(seconds, waits);
    if ((refusal.status !== 0 && !PASSING.includes(refusal.status)) || Date.now() + waitMs > end) throw refusal;
    console.log(`${refusal.message} Again in ${waitMs / 1000} s`);
    await sleep(waitMs);
  }
}

async function tryOnce(method, path, { key, body, headers }) {
  const request = { method, headers: { ...headers }, signal: AbortSignal.timeout(10_000) };
  if (key) request.headers.authorization = `Bearer ${key}`;
  if (body !== undefined) {
    request.headers['content-type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(SERVICE + path, request);
    // Null for a proxy's page, or half an answer.
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return { answer };
    const message = answer?.error ?? `${SERVICE} answers ${response.status}.`;
    const refusal = new Refusal(message, response.ok ? 0 : response.status);
    return { refusal, waits: Number(response.headers.get('retry-after')) || 0 };
  } catch (error) {
    return { refusal: new Refusal(`${SERVICE} is out of reach (${error.cause?.code ?? error.name}).`, 0) };
  }
}

/** The key of HOURCAST_KEY or of hourcast.json. Without one the name is registered, and the key is stored there for its owner alone. */
async function ownKey() {
  if (process.env.HOURCAST_KEY) return process.env.HOURCAST_KEY;
  if (existsSync(ACCOUNT)) {
    const { url, key } = JSON.parse(readFileSync(ACCOUNT, 'utf8'));
    if (url === SERVICE) return key;
    throw new Error(`hourcast.json must be for ${SERVICE} (it is for ${url}).`);
  }
  // The file is created first: a key is shown once.
  writeFileSync(ACCOUNT, '', { flag: 'wx', mode: 0o600 });
  try {
    const body = { name: process.env.HOURCAST_AGENT };
    const { agent, api_key: key } = await call('POST', '/api/agents/register', { body, patienceMs: 0 });
    writeFileSync(ACCOUNT, `${JSON.stringify({ url: SERVICE, agent: agent.name, key }, null, 2)}\n`);
    console.log(`${agent.name} is registered; its key is in hourcast.json.`);
    return key;
  } catch (error) {
    unlinkSync(ACCOUNT);
    throw error;
  }
}

/** Answers the running round. Returns its id; null for none, or for one that is not yet at `minute`. */
async function answerRound(key, { minute = 0, answered = 0 } = {}) {
  const { round, time_remaining_seconds: left } = await call('GET', '/api/rounds/current');
  if (round === null || round.id === answered || left > 3600 - 60 * minute) return null;
  const { rows } = await call('GET', '/api/me/standing', { key });
  if (rows.length === 0) await call('PUT', '/api/me/standing', { key, body: { rows: STANDING } });
  const [market, { rounds: recent }] = await Promise.all([
    call('GET', '/api/data/market'),
    call('GET', '/api/rounds/recent?limit=50'),
  ]);
  const answer = await forecast({ round, market, recent });
  const body = { round_id: round.id, ...answer };
  try {
    await call('POST', '/api/predictions', { key, body, headers: { 'idempotency-key': `bot-${round.id}` } });
    console.log(`Round ${round.id}: ${round.question}\n  ${answer.prediction}, ${answer.confidence} %`);
  } catch (refusal) {
    if (refusal.status !== 409) throw Object.assign(refusal, { refused: round.id });
    console.log(`Round ${round.id}: ${refusal.message}`);
  }
  return round.id;
}

/** Answers every round at the minute of HOURCAST_MINUTE, until it is ended. A failure costs one try, a refusal the round. */
async function stay(key) {
  let answered = 0;
  for (;;) {
    try {
      answered = (await answerRound(key, { minute: Number(process.env.HOURCAST_MINUTE || 0), answered })) ?? answered;
    } catch (error) {
      if ([401, 403].includes(error.status)) throw error;
      // Such as a locked round: refused tries would spend the budget of the next ones.
      if (error.status === 400) answered = error.refused ?? answered;
      console.log(error.message);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === FILE) {
  try {
    const key = await ownKey();
    if (process.argv.includes('--stay')) await stay(key);
    else if ((await answerRound(key)) === null) console.log('No round is running.');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
