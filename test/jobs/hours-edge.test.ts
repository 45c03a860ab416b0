import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { openOrm } from '../../src/database/orm.ts';
import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { type PredictionWriter, predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { manualClock } from '../support/manual-clock.ts';
import { hashOf, only } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';
import { hourAsking } from './played-round.ts';

const START = hourAsking('direction', new Date('2026-01-01T12:00:00Z'));
const END = new Date(START.getTime() + 3_600_000);
const fromEnd = (ms: number): string => new Date(END.getTime() + ms).toISOString();
/** The milliseconds of a race, counted from the hour's end, and how many submit in each. */
const [FIRST_MS, LAST_MS, AT_ONCE] = [-60, 20, 30];

const arena = sharedArena((LAST_MS - FIRST_MS + 1) * AT_ONCE);
/** Other processes, as the database sees them. */
let others: Awaited<ReturnType<typeof openOrm>>[];
beforeAll(async () => {
  others = await Promise.all([1, 2, 3].map(() => openOrm(arena.connection, 3)));
});
afterAll(() => Promise.all(others.map((orm) => orm.close(true))));

function roundNow() {
  return only<{ id: number; status: string; total_entries: number; confidence_sum: number }>(
    arena,
    'select id, status, total_entries, confidence_sum from rounds where start_time = $1',
    [START],
  );
}

function offerTo(writer: PredictionWriter, roundId: number, agentId: number) {
  const confidence = agentId % 101;
  return writer.write({ roundId, keyHash: hashOf(agentId), prediction: 'YES', confidence, idempotencyKey: null });
}

test.each([1, 2, 3, 4, 5])(
  'accepted predictions of race %i over the end are in time and scored, and no others',
  async () => {
    await reconcile(arena, START);
    const { id } = await roundNow();
    const clock = manualClock(fromEnd(FIRST_MS));
    const writers = others.map((orm) => predictionWriter(orm.statements, clock, 0));
    const answers: Promise<{ readonly agentId: number; readonly at: Date | null }>[] = [];
    const submit = async (): Promise<void> => {
      for (let ms = FIRST_MS; ms <= LAST_MS; ms += 1) {
        clock.set(fromEnd(ms));
        const offers = Array.from({ length: AT_ONCE }, (_, n) => {
          const [agentId, writer] = [answers.length + n + 1, writers[n % writers.length]];
          if (writer === undefined) throw new Error('No writer');
          return offerTo(writer, id, agentId).then((one) => ({ agentId, at: one?.submittedAt ?? null }));
        });
        answers.push(...offers);
        // A moment lasts until somebody is answered in it: however slow the machine, some come in time and some do not.
        await Promise.race(offers);
      }
    };
    const close = async (): Promise<void> => {
      for (let open = true; open; open = (await roundNow()).status === 'active') await reconcile(arena, clock.now());
    };
    await Promise.all([submit(), close()]);
    const answered = await Promise.all(answers);
    await resolveRound(arena, id, { now: END });

    const accepted = answered.filter(({ at }) => at !== null);
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length).toBeLessThan(answered.length);
    const stored = await arena.query(
      `select p.agent_id as "agentId", p.submitted_at as at from predictions p join scores s using (round_id, agent_id)
     where p.submitted_at < $1 order by p.agent_id`,
      [END],
    );
    expect(stored).toEqual(accepted);
    expect(await only(arena, 'select count(*)::int as n from predictions')).toEqual({ n: accepted.length });
    expect(await roundNow()).toEqual({
      id,
      status: 'resolved',
      total_entries: accepted.length,
      confidence_sum: accepted.reduce((sum, { agentId }) => sum + (agentId % 101), 0),
    });
  },
);
