// A bot on the client of clients/js, for Node 20.3 or newer after `npm ci`. It answers every round, and survives rate limits and
// restarts.
//
//   HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... node examples/bot.mjs

import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { forecast as followTheTrend } from '../clients/scaffold/js/forecast.mjs';
import { createClient } from './client.mjs';

const LOOK_EVERY_SECONDS = 2;

/** Tries each call until the service answers: it may be busy, restart, or be out of reach. */
export const client = createClient({
  patienceMs: Infinity,
  onRetry: ({ error, waitMs }) => console.log(`${error.message} Again in ${(waitMs / 1000).toFixed(1)} s`),
});

/** Submits, once however often it is sent. What is refused costs the round alone, unless nothing else can follow. */
async function submit(round, { prediction, confidence }) {
  console.log(`Round ${round.id}: ${round.question}`);
  try {
    await client.predict({ round_id: round.id, prediction, confidence });
    console.log(`  ${prediction}, ${confidence} %`);
  } catch (error) {
    if (error.status === 401) throw error;
    console.log(`  refused: ${error.message}`);
  }
}

/** Tells what the predictions that have been scored since `told` have earned; returns the newest of them. */
async function tellScores(told) {
  const { recent_predictions: newest } = await client.me();
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
    const { round } = await client.currentRound();
    if (round && round.id > answered) {
      const market = await client.market();
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
