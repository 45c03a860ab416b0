// A forecaster on top of a language model, for Node 20.3 or newer after `npm ci`. Without LLM_URL it answers with even odds.
//
//   export LLM_URL=http://127.0.0.1:11434/v1 LLM_MODEL=... LLM_KEY=...
//   HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... node examples/llm-forecaster.mjs
//
// LLM_URL takes whatever answers POST .../chat/completions as OpenAI does.

import { forecast } from '../clients/scaffold/llm/forecast.mjs';
import { client, play } from './bot.mjs';

await play(async ({ round, market }) => {
  const { rounds: recent } = await client.recentRounds({ limit: 50 });
  return forecast({ round, market, recent });
});
