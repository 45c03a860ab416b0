// A forecaster on top of a language model, for Node 20.3 or newer after `npm ci`. Without LLM_URL a stub answers in its place.
//
//   export LLM_URL=http://127.0.0.1:11434/v1 LLM_MODEL=... LLM_KEY=...
//   HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... node examples/llm-forecaster.mjs
//
// LLM_URL takes whatever answers POST .../chat/completions as OpenAI does.

import { client, play } from './bot.mjs';

const { LLM_URL, LLM_MODEL = 'default', LLM_KEY = '' } = process.env;

const ROLE = `You forecast crypto prices for an hourly competition. Hardly anything about one hour can be known: on a
question with two answers a probability above 0.65 needs a strong reason. Think about what the prices so far say, how
much of the hour is left, and how wild each asset is. End with one line of JSON and nothing behind it:
{"prediction": <one of the choices>, "probability": <0 to 1, that your prediction is right>}`;

/** What the model is told: all that a forecaster can know here, as short as it can be said. */
function promptOf({ round, market, recent }) {
  const prices = Object.entries(market.assets).map(
    ([symbol, { price_usd: price, change_1h: hour, change_24h: day }]) =>
      `${symbol}: ${price} USD, ${hour.toFixed(2)} % in 1 h, ${day.toFixed(2)} % in 24 h`,
  );
  const past = recent.map(({ question, outcome }) => `${question} -> ${outcome}`);
  return [
    `Question: ${round.question}`,
    `Choices: ${round.choices.join(', ')}`,
    `The hour began at ${round.start_time} UTC. It is ${market.timestamp} now.`,
    `Prices:\n${prices.join('\n')}`,
    `How such questions ended lately:\n${past.join('\n') || 'nothing yet'}`,
  ].join('\n\n');
}

/** The model's text. Throws when it does not come, so that the round is left out rather than guessed. */
async function completionOf(prompt) {
  const response = await fetch(`${LLM_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${LLM_KEY}` },
    body: JSON.stringify({
      model: LLM_MODEL,
      messages: [
        { role: 'system', content: ROLE },
        { role: 'user', content: prompt },
      ],
    }),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) throw new Error(`the model answers ${response.status}: ${await response.text()}`);
  const { choices } = await response.json();
  return choices[0].message.content;
}

/** Stands for a model: takes the asset that the question names first, hardly sure of it. */
function stub(prompt) {
  const [, choices = ''] = /^Choices: (.+)$/m.exec(prompt) ?? [];
  const all = choices.split(', ');
  return `Nothing speaks against even odds.\n${JSON.stringify({ prediction: all[0], probability: 1 / all.length })}`;
}

/** The forecast in a model's text. Models wrap it in prose and fences; the last object counts. */
export function readForecast(text, choices) {
  const found = text.match(/\{[^{}]*\}/g)?.at(-1);
  if (found === undefined) throw new Error(`the model gave no JSON (${text.slice(-100)})`);
  const { prediction, probability } = JSON.parse(found);
  if (!choices.includes(prediction))
    throw new Error(`the model must choose one of ${choices} (it chose ${prediction})`);
  if (!(probability >= 0 && probability <= 1))
    throw new Error(`probability must be from 0 to 1 (it is ${probability})`);
  return { prediction, confidence: Math.round(probability * 100) };
}

async function forecast({ round, market }) {
  const { rounds } = await client.recentRounds({ limit: 50 });
  const recent = rounds.filter(({ question_type: type, outcome }) => type === round.question_type && outcome !== null);
  const prompt = promptOf({ round, market, recent: recent.slice(0, 5) });
  return readForecast(LLM_URL === undefined ? stub(prompt) : await completionOf(prompt), round.choices);
}

await play(forecast);
