import { listOf, numberOf, textOf, type Body } from './json.ts';
import { PERIODS, type Moment, type Sighting } from './recording.ts';
import type { Client } from './http-client.ts';

const LOOK_BACK = 20;

/** Ended rounds, newest first. */
export async function recentRounds(client: Client, limit: number): Promise<Body[]> {
  return listOf(await client.get(`/api/rounds/recent?limit=${limit}`), 'rounds');
}

/** One after the other: of answers to requests at the same time, none is the later one. */
export async function boardsOf(client: Client): Promise<Body[]> {
  const boards: Body[] = [];
  for (const period of PERIODS) boards.push(await client.get(`/api/leaderboard?period=${period}&limit=100`));
  return boards;
}

/** The four boards, read while rounds go on resolving. */
export async function momentOf(client: Client): Promise<Moment> {
  const newestBefore = await newestResolved(client);
  const boards = await boardsOf(client);
  return { boards, newestBefore, newestAfter: await newestResolved(client) };
}

async function newestResolved(client: Client): Promise<number> {
  const rounds = await recentRounds(client, LOOK_BACK);
  const resolved = rounds.find((round) => round['status'] === 'resolved');
  return resolved === undefined ? 0 : numberOf(resolved, 'id');
}

export async function sightingsOf(client: Client, limit: number): Promise<Sighting[]> {
  const from = await serviceTime(client);
  const rounds = await recentRounds(client, limit);
  const to = await serviceTime(client);
  return rounds.map((round) => ({ id: numberOf(round, 'id'), status: textOf(round, 'status'), from, to }));
}

async function serviceTime(client: Client): Promise<string> {
  return textOf(await client.get('/api/health'), 'timestamp');
}
