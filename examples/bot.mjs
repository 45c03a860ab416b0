// A bot in plain JavaScript, for Node 20 or newer. It answers every round, and survives rate limits and restarts.
//
//   HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... node examples/bot.mjs

import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const { HOURCAST_URL = 'http://127.0.0.1:3000', HOURCAST_KEY = '' } = process.env;
const LOOK_EVERY_SECONDS = 2;

/**
 * Your part: an answer to the round's question. This one expects of the next hour what the last one brought, and
 * believes little in it. The points and the simulated P&L both reward a confidence that is meant as a probability.
 */
function followTheTrend({ round, market }) {
  const changes = Object.fromEntries(
    Object.entries(market.assets).map(([symbol, { change_1h }]) => [symbol, change_1h]),
  );
  if (round.prediction_format === 'choice') {
    const [best] = round.choices.toSorted((one, other) => changes[other] - changes[one]);
    const least = round.choices.toSorted((one, other) => changes[one] - changes[other])[0];
    const prediction = round.question_type === 'worst_performer' ? least : best;
    return { prediction, confidence: Math.round(100 / round.choices.length) + 2 };
  }
  const { subject, operator, threshold_pct: threshold } = round.params;
  const all = Object.values(changes);
  const change = subject === null ? all.reduce((sum, one) => sum + one, 0) / all.length : changes[subject];
  const wanted = operator === '<=' ? change <= (threshold ?? 0) : change >= (threshold ?? 0);
  return { prediction: wanted ? 'YES' : 'NO', confidence: 55 };
}

/**
 * Asks until the service has an answer: it may be busy, restart, or be out of reach. Returns the body of the answer,
 * and of a refusal `{ error }` with its `status`.
 */
export async function ask(path, { body, headers = {} } = {}) {
  for (let pause = 0.25; ; pause = Math.min(pause * 2, 30)) {
    try {
      const response = await fetch(HOURCAST_URL + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${HOURCAST_KEY}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      const answer = await response.json();
      if (response.status !== 429 && response.status < 500)
        return response.ok ? answer : { ...answer, status: response.status };
      pause = Number(response.headers.get('retry-after') ?? pause);
      console.log(`${response.status}, again in ${pause} s: ${answer.error}`);
    } catch (error) {
      // No connection, no answer in time, or half of one.
      console.log(`No answer, again in ${pause} s: ${error.cause?.code ?? error.message}`);
    }
    // Not all bots at the same moment.
    await sleep(pause * (1 + Math.random() / 4) * 1000);
  }
}

/** Submits once however often it is sent: with the same `Idempotency-Key` the service gives its first answer again. */
async function submit(round, { prediction, confidence }) {
  const answer = await ask('/api/predictions', {
    body: { round_id: round.id, prediction, confidence },
    headers: { 'idempotency-key': `round-${round.id}` },
  });
  if (answer.status === 401) throw new Error(`HOURCAST_KEY must be the key of an agent. ${answer.error}`);
  console.log(`Round ${round.id}: ${round.question}`);
  console.log(answer.success ? `  ${prediction}, ${confidence} %` : `  refused: ${answer.error}`);
}

/** Tells what the predictions that have been scored since `told` have earned; returns the newest of them. */
async function tellScores(told) {
  const { recent_predictions: newest = [] } = await ask('/api/me');
  const scored = newest.filter(({ round_id: id, score }) => score !== null && id > told);
  for (const { round_id: id, prediction, is_correct: right, score } of scored.toReversed()) {
    console.log(`Round ${id}: ${prediction} was ${right ? 'right' : 'wrong'}, ${score} points`);
  }
  return scored[0]?.round_id ?? told;
}

/** Answers every round with what `forecast({ round, market })` returns, until it is ended. */
export async function play(forecast) {
  let answered = 0;
  let told = 0;
  for (;;) {
    const { round } = await ask('/api/rounds/current');
    if (round && round.id > answered) {
      const market = await ask('/api/data/market');
      // Of an error here one round is lost, and not the bot.
      const answer = await forecast({ round, market }).catch((error) => console.log(`No forecast: ${error.message}`));
      if (answer) await submit(round, answer);
      answered = round.id;
      told = await tellScores(told);
    }
    await sleep(LOOK_EVERY_SECONDS * 1000);
  }
}

const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? '').href;
if (isProgram) await play(async (known) => followTheTrend(known));
