const ROLE = `You forecast crypto prices for an hourly competition. Hardly anything about one hour can be known: on a
question with two answers a probability above 0.65 needs a strong reason. Think about what the prices so far say, how
much of the hour is left, and how wild each asset is. End with one line of JSON and nothing behind it:
{"prediction": <one of the choices>, "probability": <0 to 1, that your prediction is right>}`;

/** Your part: the model's answer to the round's question, and its probability in percent. Without LLM_URL: even odds. */
export async function forecast({ round, market, recent }) {
  const same = recent.filter(({ question_type: type, outcome }) => type === round.question_type && outcome !== null);
  const prompt = promptOf({ round, market, recent: same.slice(0, 5) });
  const text = process.env.LLM_URL ? await completionOf(prompt) : evenOdds(round);
  return { ...readForecast(text, round.choices), model: process.env.LLM_URL ? modelName() : undefined };
}

const modelName = () => process.env.LLM_MODEL || 'default';

/** All that a forecaster can know here, in few words. */
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

/** The model's text. Throws without one, so that the round is left out rather than guessed. */
async function completionOf(prompt) {
  const response = await fetch(`${process.env.LLM_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.LLM_KEY ?? ''}` },
    body: JSON.stringify({
      model: modelName(),
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

function evenOdds({ choices }) {
  return JSON.stringify({ prediction: choices[0], probability: 1 / choices.length });
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
