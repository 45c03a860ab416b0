import { setTimeout as delay } from 'node:timers/promises';

import { HOUR, MINUTE, SECOND } from '../../src/rules/hours.ts';
import type { Client } from '../../clients/js/src/index.ts';
import { type Arena, arenaAt, isRefused } from './arena.ts';
import { HOUSE_AGENTS, type HouseAgent } from './characters.ts';
import { type HourWatch, watchHour } from './hour-watch.ts';
import { keptKeys } from './kept-keys.ts';
import { askedNow, roundOver, type RoundOver } from './story.ts';

/** Real time: a quarter of a second is half a minute on the default fast clock. */
const LOOK_EVERY_MS = 250;

export interface PlayOptions {
  readonly url: string;
  /** The file of their keys. */
  readonly keyFile: string;
  /** The agent whose answers are printed beside the outcomes. */
  readonly yourKey?: string;
  /** Prints a line for each question and its end. */
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

type Player = HouseAgent & { readonly client: Client };

/** Runs until `signal`. */
export async function play({ url, keyFile, yourKey, print, signal }: PlayOptions): Promise<void> {
  const arena = arenaAt(url, signal);
  const keys = keptKeys(keyFile, arena);
  const players: Player[] = [];
  for (const agent of HOUSE_AGENTS) players.push({ ...agent, client: arena.as(await keys.keyOf(agent.name)) });
  const look = looker(arena, players, { yourKey, print });
  while (!signal.aborted) {
    const problem = await look().then(() => null, String);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    // The next poll finds the service again. At Ctrl-C it may have ended first.
    if (problem !== null && !signal.aborted) print(problem);
  }
}

function looker(
  arena: Arena,
  players: readonly Player[],
  { yourKey, print }: Pick<PlayOptions, 'print'> & { readonly yourKey: string | undefined },
): () => Promise<void> {
  let watch: HourWatch | null = null;
  let waiting: readonly Player[] = [];
  let reported = 0;
  const { client, signal } = arena;
  return async () => {
    const { round, time_remaining_seconds: left } = await client.currentRound({ signal });
    if (round !== null) {
      const market = await client.market({ signal });
      if (watch?.roundId !== round.id) {
        watch = watchHour(round, market);
        waiting = players;
        print(askedNow(round));
      }
      watch.look(market);
      const minute = (HOUR - left * SECOND) / MINUTE;
      const due = waiting.filter((player) => player.minute <= minute);
      waiting = waiting.filter((player) => player.minute > minute);
      if (due.length > 0) await answer(arena, due, watch);
    }
    const [last] = (await client.recentRounds({ limit: 1 }, { signal })).rounds;
    if (last === undefined || last.id <= reported || last.status === 'resolving') return;
    reported = last.id;
    const { rankings: board } = await client.leaderboard({ period: 'alltime', limit: 100 }, { signal });
    print(roundOver({ round: last, board, you: await yours(arena, last.id, yourKey) }));
  };
}

/** The answer of this key's agent in a round. */
async function yours({ as, signal }: Arena, id: number, key: string | undefined): Promise<RoundOver['you']> {
  if (key === undefined) return null;
  const { agent, recent_predictions: recent } = await as(key).me({ signal });
  return { name: agent.name, answer: recent.find(({ round_id: round }) => round === id) ?? null };
}

async function answer({ client, signal }: Arena, due: readonly Player[], watch: HourWatch): Promise<void> {
  const { roundId } = watch;
  const { entries } = await client.entries({ round_id: roundId }, { signal });
  // Null while picks are sealed.
  const seen = watch.glance(entries.flatMap(({ prediction }) => prediction ?? []));
  await Promise.all(
    due.map(async (player) => {
      const given = player.answer(seen);
      if (given === null) return;
      await player.client.predict({ round_id: roundId, ...given }, { signal }).catch(unlessLate);
    }),
  );
}

/** After a restart a round may be answered already, and an hour may end meanwhile. */
function unlessLate(error: unknown): void {
  if (!isRefused(error, [400, 409])) throw error;
}
