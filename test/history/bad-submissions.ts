import { at, numberOf, textOf, type Body } from './json.ts';
import { isOver, submit, type Player } from './players.ts';
import type { Client } from './http-client.ts';

interface BadSubmission {
  readonly name: string;
  readonly status: number;
  /** Altered from a good one that was accepted a moment ago. */
  readonly alter: (good: Body) => Body;
}

const BAD_SUBMISSIONS: readonly BadSubmission[] = [
  { name: 'a second prediction', status: 409, alter: (good) => good },
  { name: 'a second prediction of another confidence', status: 409, alter: (good) => ({ ...good, confidence: 1 }) },
  { name: 'a value that is no choice', status: 400, alter: (good) => ({ ...good, prediction: 'MAYBE' }) },
  { name: 'an old round', status: 400, alter: (good) => ({ ...good, round_id: numberOf(good, 'round_id') - 1 }) },
  // So far ahead that it cannot have begun when this arrives, also when the hour turns on the way.
  { name: 'a round to come', status: 400, alter: (good) => ({ ...good, round_id: numberOf(good, 'round_id') + 20 }) },
  { name: 'a confidence above 100', status: 400, alter: (good) => ({ ...good, confidence: 101 }) },
  { name: 'a confidence below 0', status: 400, alter: (good) => ({ ...good, confidence: -1 }) },
  { name: 'a confidence as text', status: 400, alter: (good) => ({ ...good, confidence: '85' }) },
  { name: 'a broken confidence', status: 400, alter: (good) => ({ ...good, confidence: 84.5 }) },
  {
    name: 'a value in lower case',
    status: 400,
    alter: (good) => ({ ...good, prediction: textOf(good, 'prediction').toLowerCase() }),
  },
];

/** Sends one of them, another each round. When the round ends meanwhile the refusal is 400 in any case. */
export async function submitBadly(client: Client, player: Player, good: Body, ordinal: number): Promise<string[]> {
  const { name, status, alter } = at(BAD_SUBMISSIONS, ordinal % BAD_SUBMISSIONS.length);
  const answer = await submit(client, player.key, alter(good));
  if (answer.status === status) return [];
  if (answer.status === 400 && (await isOver(client, numberOf(good, 'round_id')))) return [];
  return [`${name} answers ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`];
}
