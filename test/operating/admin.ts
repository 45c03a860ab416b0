import { ADMIN_ACTIONS, type AdminActionName } from '../../src/rules/admin-actions.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { type Player, predict } from '../support/agents.ts';
import { type CurrentRound, currentRound, startOf } from '../support/rounds.ts';
import type { Answer, TestService } from '../support/service.ts';
import { dataOf } from '../support/asking.ts';

/** The operators' token of these tests. */
export const TOKEN = 'operators-only-0123456789';

/** An operator's action upon a round or an agent, with the token; null: without a reason. */
export function act(
  service: Pick<TestService, 'request'>,
  action: AdminActionName,
  id: number,
  reason: string | null = 'For the test',
  more: object = {},
): Promise<Answer> {
  const of = ADMIN_ACTIONS.find(({ name }) => name === action)?.of;
  const body = reason === null ? {} : { body: { reason, ...more } };
  return service.request('POST', `/admin/${of}/${id}/${action}`, { key: TOKEN, ...body });
}

/** What an operator looks at, with the token. */
export function look(service: TestService, path: string): Promise<Answer> {
  return service.request('GET', path, { key: TOKEN });
}

interface WrittenEvent {
  readonly seq: number;
  readonly kind: string;
  readonly round_id: number | null;
  readonly payload: unknown;
}

/** The events of the log after `seq`. */
export async function eventsAfter(service: TestService, seq: number): Promise<readonly WrittenEvent[]> {
  const statement = 'select seq, kind, round_id, payload from events where seq > ? order by seq';
  return service.newEm().getConnection().execute<WrittenEvent[]>(statement, [seq]);
}

/** The newest event's seq, 0 before any. */
export async function lastSeq(service: TestService): Promise<number> {
  const events = await eventsAfter(service, 0);
  return events.at(-1)?.seq ?? 0;
}

/** The row of the audit that was written last. */
export async function newestAction(service: TestService) {
  return (await look(service, '/admin/audit?limit=1')).body.actions[0];
}

/** A round's state, as everybody is told. */
export async function statusOf(service: TestService, id: number) {
  return (await dataOf(service, `{ round(id: ${id}) { status } }`)).round.status;
}

/** A round that waits for its outcome, the player's answer in it. */
export async function waitingRound(service: TestService, player: Player): Promise<CurrentRound> {
  const round = await currentRound(service);
  await predict(service, player, { confidence: 90 });
  for (const asset of ASSETS) service.market.script(asset, startOf(round), null);
  await service.nextHour();
  const status = await statusOf(service, round.id);
  if (status !== 'resolving') throw new Error(`Round ${round.id} must wait for its outcome (it is ${status})`);
  return round;
}
