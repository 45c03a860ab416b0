import { asBody, bodyOf, numberOf, textOf, type Body } from './json.ts';
import type { Answer, Client } from './http-client.ts';
import type { Script } from './scripted-agents.ts';

export interface Player {
  readonly script: Script;
  readonly id: number;
  key: string;
  competes: boolean;
}

export async function registered(client: Client, script: Script): Promise<Player> {
  const mode = script.activates === undefined ? {} : { mode: 'spectate' };
  const { status, body } = await client.ask('POST', '/api/agents/register', { body: { name: script.name, ...mode } });
  if (status !== 201) throw new Error(`the registration of ${script.name} answers ${status}: ${JSON.stringify(body)}`);
  const id = numberOf(bodyOf(body, 'agent'), 'id');
  return { script, id, key: textOf(body, 'api_key'), competes: script.activates === undefined };
}

export function submit(client: Client, key: string, body: Body): Promise<Answer> {
  return client.ask('POST', '/api/predictions', { key, body });
}

/** Whether the current round is another one by now. */
export async function isOver(client: Client, roundId: number): Promise<boolean> {
  const { round = null } = await client.get('/api/rounds/current');
  return round === null || numberOf(asBody(round, 'round'), 'id') !== roundId;
}

/** Gives the agent another key; from then on the old one opens nothing. */
export async function rotate(client: Client, player: Player): Promise<string[]> {
  const old = player.key;
  const { status, body } = await client.ask('POST', '/api/me/rotate-key', { key: old });
  if (status !== 200) return [`the rotation of ${player.script.name}'s key answers ${status}: ${JSON.stringify(body)}`];
  player.key = textOf(body, 'api_key');
  const withOld = await client.ask('GET', '/api/me', { key: old });
  return withOld.status === 401 ? [] : [`the rotated key of ${player.script.name} answers ${withOld.status}`];
}

/** Makes a spectator a competitor. `next_round` starts after now and ends an hour after it starts. */
export async function activate(client: Client, player: Player, current: Body): Promise<string[]> {
  const refused = await submit(client, player.key, {
    round_id: numberOf(current, 'id'),
    prediction: 'YES',
    confidence: 50,
  });
  const { status, body } = await client.ask('POST', '/api/me/activate', { key: player.key });
  player.competes = true;
  if (status !== 200) return [`the activation of ${player.script.name} answers ${status}: ${JSON.stringify(body)}`];
  const next = bodyOf(body, 'next_round');
  const later = numberOf(next, 'id') > numberOf(current, 'id') && textOf(next, 'ends_at') > textOf(current, 'end_time');
  return [
    ...(refused.status === 403
      ? []
      : [`a spectator's prediction answers ${refused.status}: ${JSON.stringify(refused.body)}`]),
    ...(later ? [] : [`the next round ${JSON.stringify(next)} is not after ${JSON.stringify(current)}`]),
  ];
}
