import { expect } from '@jest/globals';
import { sql } from 'kysely';

import { type Fact, openField } from './played-field.ts';
import { shared } from './shared.ts';

export const AGENTS = 250;
export const ROUND = 1;
export const WHY = 'The order book leans one way.';

/** A decided round of 250 predictions; the second place has a rationale. */
export function largeRound() {
  return shared(async (closing) => {
    const field = await openField({ agents: AGENTS, minutes: [3, 24, 41, 52] });
    closing.defer(() => field.service.stop());
    await field.predict(1);
    await field.service.nextHour();
    await sql`insert into rationales (round_id, agent_id, rationale)
      select round_id, agent_id, ${WHY} from scores where round_id = ${ROUND} and place = 2`.execute(
      field.service.newEm().getKysely(),
    );
    const facts: readonly Fact[] = (await field.facts()).filter(({ roundId }) => roundId === ROUND);
    expect(facts).toHaveLength(AGENTS);
    const byPlace = facts.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
    return { service: field.service, facts, byPlace };
  });
}
