import { asBody, bodyOf, listOf, numberOf, type Body } from './json.ts';
import { boardsOf, recentRounds } from './observations.ts';
import { submit, type Player } from './players.ts';
import { until } from '../support/poll.ts';
import type { Client } from './http-client.ts';
import type { Played } from './play.ts';
import type { AgentRecord, Recording, RoundRecord } from './recording.ts';

const ALL_RECENT = 100;
const PAGE = 1000;
const SMALL_PAGE = 3;
/** So much of the open hour is left that nothing resolves while the answers are read. */
const CALM_SECONDS = 30;

/** Reads everything that is public, and each agent's own profile, from a service whose clock runs at ordinary speed. */
export async function audit(client: Client, played: Played, stoppedIn: string): Promise<Recording> {
  const open = await quietRound(client, played);
  const surprises = [...played.surprises, ...(await playOpenRound(client, played, open))];
  const recent = await recentRounds(client, ALL_RECENT);
  const ids = new Set([...recent.map((round) => numberOf(round, 'id')), ...played.sightings.map(({ id }) => id)]);
  const rounds: RoundRecord[] = [];
  for (const id of [...ids].toSorted((one, other) => one - other)) rounds.push(await roundRecord(client, id));
  return {
    accepted: played.accepted,
    learned: played.learned,
    rounds,
    agents: await Promise.all(played.players.map((player) => agentRecord(client, player))),
    moments: played.moments,
    sightings: played.sightings,
    boards: await boardsOf(client),
    stats: await client.get('/api/stats'),
    recent,
    open,
    stoppedIn,
    surprises,
  };
}

/** The open round, once every round of the past is resolved or void. */
function quietRound(client: Client, played: Played): Promise<Body> {
  const last = played.learned.at(-1)?.['id'];
  return until('every round that is over is resolved or void', async () => {
    const { round = null, time_remaining_seconds = 0 } = await client.get('/api/rounds/current');
    const recent = await recentRounds(client, ALL_RECENT);
    const settled = recent.every(({ status }) => status === 'resolved' || status === 'void');
    const complete = recent.some(({ id }) => id === last);
    return settled && complete && round !== null && Number(time_remaining_seconds) > CALM_SECONDS
      ? asBody(round, 'round')
      : null;
  });
}

/** Predictions that are not scored yet: they count in some figures and not in others. */
async function playOpenRound(client: Client, played: Played, open: Body): Promise<string[]> {
  const surprises: string[] = [];
  for (const [index, player] of played.players.slice(0, 3).entries()) {
    const choices = open['choices'];
    const prediction = Array.isArray(choices) ? (choices[index % choices.length] ?? null) : null;
    const asked = { round_id: numberOf(open, 'id'), prediction, confidence: 33 * index };
    const { status, body } = await submit(client, player.key, asked);
    if (status === 201) played.accepted.push({ ...bodyOf(body, 'prediction'), agent_name: player.script.name });
    else surprises.push(`a good submission to the open round answers ${status}: ${JSON.stringify(body)}`);
  }
  return surprises;
}

async function roundRecord(client: Client, id: number): Promise<RoundRecord> {
  const limit = id % 10 === 0 ? SMALL_PAGE : PAGE;
  const results = `/api/rounds/${id}/results?limit=${limit}`;
  return {
    id,
    round: bodyOf(await client.get(results), 'round'),
    predictions: await pages(client, results, 'predictions', limit),
    entries: await pages(client, `/api/rounds/${id}/entries?limit=${limit}`, 'entries', limit),
    worths: await worthsOf(client, id),
  };
}

async function worthsOf(client: Client, id: number): Promise<Body[]> {
  const query = `{ round(id: ${id}) { results(limit: 50) { id edge reference { answer probability } } } }`;
  const { body } = await client.ask('POST', '/graphql', { body: { query } });
  return listOf(bodyOf(bodyOf(body, 'data'), 'round'), 'results');
}

async function pages(client: Client, path: string, key: string, limit: number): Promise<Body[]> {
  const items: Body[] = [];
  for (let page: Body[] = []; items.length === 0 || page.length === limit;) {
    const last = items.at(-1);
    page = listOf(await client.get(last === undefined ? path : `${path}&after=${numberOf(last, 'id')}`), key);
    items.push(...page);
    if (page.length === 0) break;
  }
  return items;
}

async function agentRecord(client: Client, { id, key, script }: Player): Promise<AgentRecord> {
  const shown = await client.get(`/api/agents/${id}`);
  return { id, name: script.name, shown, own: await client.get('/api/me', key) };
}
