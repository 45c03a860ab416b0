import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { type Answered, timedRequest } from './timed-request.ts';

/** Honest agents answer once each, evenly over a phase. */
export const AGENTS = 200;
const POLL_MS = 100;
const WATCHER = '127.9.0.1';
const CREATED = 201;

export interface Honest {
  readonly submissions: readonly Answered[];
  readonly lookups: readonly Answered[];
}

/** Open during the whole benchmark. */
export interface OpenRound {
  readonly id: number;
  readonly choices: readonly string[];
}

export interface Competitor {
  readonly address: string;
  readonly key: string;
}

/** Each is registered from its own address. */
export async function registerAgents(url: string, phase: number): Promise<readonly Competitor[]> {
  const agents: Competitor[] = [];
  for (let n = 1; n <= AGENTS; n += 1) {
    const address = `127.1.${phase}.${n}`;
    const body = { name: `honest-${phase}-${n}` };
    const { status, text } = await timedRequest({ url: `${url}/api/agents/register`, from: address, body });
    if (status !== CREATED) throw new Error(`A registration is answered ${status}: ${text}`);
    const { api_key: key }: { api_key: string } = JSON.parse(text);
    agents.push({ address, key });
  }
  return agents;
}

/** Each agent submits once during the phase; a probe checks that the process lives. */
export async function honestPhase(
  { url, round: { id, choices }, phaseMs }: { url: string; round: OpenRound; phaseMs: number },
  agents: readonly Competitor[],
): Promise<Honest> {
  const watching = new Agent({ keepAlive: true });
  const [submissions, lookups] = await Promise.all([
    evenly(agents.length, phaseMs / agents.length, async (n) => {
      const { address = '', key = '' } = agents[n] ?? {};
      const body = { round_id: id, prediction: choices[n % choices.length], confidence: n % 101 };
      const headers = { authorization: `Bearer ${key}` };
      return timedRequest({ url: `${url}/api/predictions`, from: address, headers, body });
    }),
    evenly(phaseMs / POLL_MS, POLL_MS, async () =>
      timedRequest({ url: `${url}/livez`, from: WATCHER, agent: watching }),
    ),
  ]);
  watching.destroy();
  return { submissions, lookups };
}

export async function currentRound(url: string): Promise<OpenRound> {
  const { text } = await timedRequest({ url: `${url}/api/rounds/current`, from: WATCHER });
  return JSON.parse(text).round;
}

/** Slow answers do not delay later requests. */
async function evenly<Result>(
  count: number,
  everyMs: number,
  work: (n: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const began = performance.now();
  const results: Promise<Result>[] = [];
  for (let n = 0; n < count; n += 1) {
    await delay(Math.max(0, began + n * everyMs - performance.now()));
    results.push(work(n));
  }
  return Promise.all(results);
}
