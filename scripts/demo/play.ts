import { z } from 'zod';

import { type Asked, HOUSE_AGENTS } from './house-agents.ts';

const LOOK_EVERY_MS = 500;

const REGISTERED = z.object({ api_key: z.string() });
const CURRENT = z.object({
  round: z.nullable(z.object({ id: z.int(), question: z.string(), choices: z.array(z.string()) })),
});
const RECENT = z.object({
  rounds: z.array(z.object({ id: z.int(), status: z.string(), outcome: z.nullable(z.string()) })),
});
const BOARD = z.object({ rankings: z.array(z.object({ name: z.string(), total_points: z.number() })) });
const MARKET = z.object({ assets: z.record(z.string(), z.object({ change_1h: z.number() })) });

/** Registers the house agents and lets them play until `signal`; passes each question, outcome and board to `say`. */
export async function play(url: string, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const ask = asker(url, signal);
  const run = new Date().getTime().toString(36);
  const players = await Promise.all(
    HOUSE_AGENTS.map(async (agent) => {
      const body = { name: `${agent.name}-${run}` };
      return { ...agent, key: REGISTERED.parse(await ask('/api/agents/register', { body })).api_key };
    }),
  );
  let answered = 0;
  let told = 0;
  const look = async (): Promise<void> => {
    const { round } = CURRENT.parse(await ask('/api/rounds/current'));
    if (round !== null && round.id > answered) {
      answered = round.id;
      say(`Round ${round.id}: ${round.question}`);
      const asked: Asked = {
        roundId: round.id,
        choices: round.choices,
        change1hPct: changesOf(await ask('/api/data/market')),
      };
      await Promise.all(
        players.map(({ key, answer }) =>
          ask('/api/predictions', { key, body: { round_id: round.id, ...answer(asked) } }),
        ),
      );
    }
    const { rounds } = RECENT.parse(await ask('/api/rounds/recent?limit=1'));
    const [last] = rounds;
    if (last === undefined || last.id <= told || last.status === 'resolving') return;
    told = last.id;
    say(`Round ${last.id}: ${last.outcome ?? 'void'}. ${await standing(ask)}`);
  };
  while (!signal.aborted) {
    // A round may end between question and answer; the next look finds the next one.
    await look().catch((error: unknown) => signal.aborted || say(String(error)));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

type Ask = (path: string, options?: { readonly body?: unknown; readonly key?: string }) => Promise<unknown>;

function asker(url: string, signal: AbortSignal): Ask {
  return async (path, { body, key } = {}) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

/** The last hour's change of every asset, in percent, from the answer of `/api/data/market`. */
export function changesOf(market: unknown): Record<string, number> {
  const { assets } = MARKET.parse(market);
  return Object.fromEntries(Object.entries(assets).map(([symbol, { change_1h: change }]) => [symbol, change]));
}

async function standing(ask: Ask): Promise<string> {
  const { rankings } = BOARD.parse(await ask('/api/leaderboard?period=alltime&limit=5'));
  return rankings.map(({ name, total_points: points }) => `${name} ${points}`).join(', ');
}
