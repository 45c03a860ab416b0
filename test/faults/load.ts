import { setTimeout as delay } from 'node:timers/promises';

import { type Seeded, seeded } from '../support/seeded.ts';
import { type Answer, memory, type Memory, type Offer } from './memory.ts';
import { recordOf, type Request } from '../support/http.ts';
import { attempt } from './attempt.ts';

/** Scripted agents at work. */
export interface Load extends AsyncDisposable {
  readonly memory: Memory;
  /** Lets every agent end what it has begun; resolves when all have. Safe to call twice. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly seed: number;
  readonly agents: number;
  /** The processes that serve requests; each request picks one. */
  readonly urls: readonly string[];
  /** Service seconds per real second. */
  readonly speed: number;
  /** How likely an agent registers anew after a round; 0.02 unless told otherwise. */
  readonly renewed?: number;
  /** Hears of every answer, and of every request that got none. */
  readonly onAnswer?: (answer: Answer) => void;
}

interface Working {
  readonly options: LoadOptions;
  readonly memory: Memory;
  readonly random: Seeded;
  readonly stopping: AbortSignal;
}

interface Agent {
  readonly id: number;
  readonly key: string;
}

interface Round {
  readonly id: number;
  readonly choices: readonly string[];
  readonly realMsLeft: number;
}

const RETRY_MS = 120;
/** How likely what was accepted is sent once more with its key, and without one. */
const REPEATED = 0.1;
const DOUBLED = 0.1;
const RENEWED = 0.02;
/** How likely an agent answers a round as soon as it sees it. */
const EAGER = 0.5;
/** Past the hour's end now and then, so that some come in right at the edge. */
const LATEST = 1.05;

/**
 * Starts agents that register and answer every round, each at a moment of its own, whether the service is there or
 * not: what gets no answer, or a 503, goes out again with the same Idempotency-Key until something answers it.
 */
export function startLoad(options: LoadOptions): Load {
  const kept = memory();
  const stopping = new AbortController();
  const agents = Array.from({ length: options.agents }, (_, index) => {
    const random = seeded(options.seed * 1000 + index);
    return live({ options, memory: kept, random, stopping: stopping.signal }, index);
  });
  const all = Promise.all(agents);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await all;
  };
  return { memory: kept, stop, [Symbol.asyncDispose]: stop };
}

async function live(working: Working, index: number): Promise<void> {
  const { random, stopping, options } = working;
  for (let life = 0; !stopping.aborted; life += 1) {
    const agent = await register(working, `agent-${index}-${life}`);
    if (agent === null) continue;
    let round = await nextRound(working, 0);
    while (round !== null) {
      await compete(working, agent, round);
      round = random.chance(options.renewed ?? RENEWED) ? null : await nextRound(working, round.id);
    }
  }
}

/** Null when the answer was lost, and with it the name, or when the load stops. */
async function register(working: Working, name: string): Promise<Agent | null> {
  const answer = await untilAnswered(working, { method: 'POST', path: '/api/agents/register', body: { name } });
  if (answer?.status === 201) {
    const id = Number(recordOf(answer.body['agent'])['id']);
    working.memory.registered.push({ id, name });
    return { id, key: String(answer.body['api_key']) };
  }
  if (answer !== null && answer.status !== 409) note(working, `Registering ${name}`, answer);
  return null;
}

/** The current round once it is another than `last`; null when the load stops. */
async function nextRound(working: Working, last: number): Promise<Round | null> {
  for (;;) {
    const answer = await untilAnswered(working, { method: 'GET', path: '/api/rounds/current' });
    if (answer === null) return null;
    if (answer.status !== 200) note(working, 'The current round', answer);
    const { round: answered, time_remaining_seconds: left } = answer.body;
    const { id, choices } = recordOf(answered);
    const realMsLeft = (Number(left) * 1000) / working.options.speed;
    if (typeof id === 'number' && Array.isArray(choices) && id !== last)
      return { id, choices: choices.map(String), realMsLeft };
    await pause(Math.max(realMsLeft, RETRY_MS), working.stopping);
  }
}

async function compete(working: Working, agent: Agent, round: Round): Promise<void> {
  const { random, stopping } = working;
  const offer: Offer = {
    agentId: agent.id,
    roundId: round.id,
    prediction: random.pick(round.choices),
    confidence: random.between(0, 100),
  };
  const moment = random.chance(EAGER) ? 0 : random.next() * LATEST;
  const [repeats, doubles] = [random.chance(REPEATED), random.chance(DOUBLED)];
  await pause(round.realMsLeft * moment, stopping);
  if (stopping.aborted) return;
  const idempotencyKey = `round-${round.id}`;
  const first = await submit(working, agent, { offer, idempotencyKey });
  if (first?.status !== 201) return;
  if (repeats) await submit(working, agent, { offer, idempotencyKey });
  if (doubles) await submit(working, agent, { offer, idempotencyKey: null });
}

/** What a submission may be answered: taken or over, with a key; over or twice, without one after it was taken. */
const EXPECTED = { withKey: new Set([201, 400]), without: new Set([400, 409]) };

async function submit(
  working: Working,
  agent: Agent,
  { offer, idempotencyKey }: { offer: Offer; idempotencyKey: string | null },
): Promise<Answer | null> {
  const body = { round_id: offer.roundId, prediction: offer.prediction, confidence: offer.confidence };
  const request = { method: 'POST', path: '/api/predictions', key: agent.key, body, idempotencyKey };
  const answer = await untilAnswered(working, request, offer);
  const expected = idempotencyKey === null ? EXPECTED.without : EXPECTED.withKey;
  if (answer?.status != null && !expected.has(answer.status))
    note(working, `Agent ${agent.id} with key ${idempotencyKey} offering ${JSON.stringify(body)}`, answer);
  return answer;
}

/** Sends again while there is no answer or a 503; null when the load stops meanwhile. */
async function untilAnswered(working: Working, request: Request, offer?: Offer): Promise<Answer | null> {
  const { options, memory: kept, random, stopping } = working;
  while (!stopping.aborted) {
    const settle = offer && kept.begin(offer);
    const answer = await attempt(random.pick(options.urls), request);
    settle?.(answer);
    options.onAnswer?.(answer);
    if (answer.status !== null && answer.status !== 503) return answer;
    await pause(RETRY_MS, stopping);
  }
  return null;
}

function note({ memory: kept }: Working, what: string, { status, body }: Answer): void {
  kept.surprises.push(`${what} is answered ${status} ${JSON.stringify(body)}`);
}

/** Waits, and ends at once when the load stops. */
async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}
