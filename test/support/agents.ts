import type { Answer, TestService } from './service.ts';
import { currentRound } from './rounds.ts';

export interface Player {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

export async function register(
  service: TestService,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Player> {
  const { status, body } = await service.request('POST', '/api/agents/register', { body: { name, ...fields } });
  if (status !== 201) throw new Error(`${name} was not registered: ${status} ${JSON.stringify(body)}`);
  return { id: body.agent.id, name, key: body.api_key };
}

/** `prefix-1` and so on, in the order of their ids. */
export async function registerMany(service: TestService, prefix: string, count: number): Promise<readonly Player[]> {
  const players: Player[] = [];
  for (let n = 1; n <= count; n += 1) players.push(await register(service, `${prefix}-${n}`));
  return players;
}

export interface Submission {
  readonly round_id?: unknown;
  readonly prediction?: unknown;
  readonly confidence?: unknown;
  readonly dry_run?: unknown;
  readonly rationale?: unknown;
  readonly model?: unknown;
}

/** Default: the first choice at 60. */
export async function predict(
  service: TestService,
  player: Pick<Player, 'key'>,
  { idempotencyKey, ...fields }: Submission & { readonly idempotencyKey?: string } = {},
): Promise<Answer> {
  const round = await currentRound(service);
  return service.request('POST', '/api/predictions', {
    key: player.key,
    body: { round_id: round.id, prediction: round.choices[0], confidence: 60, ...fields },
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

export async function profileOf(service: TestService, player: Pick<Player, 'key'>) {
  return (await service.request('GET', '/api/me', { key: player.key })).body;
}
