import type { Answer, TestService } from '../support/service.ts';

/** The operators' token of these tests. */
export const TOKEN = 'operators-only-0123456789';

export type Action = 'void' | 'retry' | 'resolve';

/** An operator's action, with the token. */
export function act(service: TestService, action: Action, roundId: number, reason?: string): Promise<Answer> {
  const body = reason === undefined ? {} : { body: { reason } };
  return service.request('POST', `/admin/rounds/${roundId}/${action}`, { key: TOKEN, ...body });
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
