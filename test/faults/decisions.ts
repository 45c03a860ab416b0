import type { ClientConfig } from 'pg';

import { snapshot } from '../support/snapshot.ts';

export interface Decided {
  readonly id: number;
  /** How often it was decided. */
  readonly times: number;
  /** From the end of the hour to the decision. */
  readonly serviceSeconds: number;
}

const DECISIONS = `
  select r.id, count(*)::int as times, extract(epoch from r.decided_at - r.end_time)::float8 as "serviceSeconds"
  from events e join rounds r on r.id = e.round_id
  where e.kind in ('ROUND_RESOLVED', 'ROUND_VOID') group by r.id order by min(e.seq)`;

/** The decided rounds in the order of their decisions. */
export function decisionsIn(connection: ClientConfig): Promise<readonly Decided[]> {
  return snapshot(connection, (ask) => ask<Decided>(DECISIONS));
}
