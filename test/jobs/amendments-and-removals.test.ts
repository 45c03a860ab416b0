import { randomBytes } from 'node:crypto';

import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { amendRound } from '../../src/jobs/amend-round.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { actOnAgent } from '../../src/operating/agent-actions.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/poll.ts';
import { sharedArena } from '../support/shared.ts';
import { endOf, insertDecided } from './inserted-round.ts';

const arena = sharedArena(2);
const [FIRST, STREAK] = [1, 2];

const ORDER = { actor: 'a test', reason: 'Asked for', dryRun: false };

/** Round 1 is void; decided, it makes three wins in a row of two, and gives an agent its first standing. */
async function voidBeforeTwoWins(): Promise<void> {
  const predictions = [STREAK, FIRST].map((agentId) => ({ agentId, confidence: 60 }));
  await insertDecided(arena, { hour: 0, assets: ['BTC'], predictions }, { answer: null });
  for (const hour of [1, 2])
    await insertDecided(arena, { hour, predictions: predictions.slice(0, 1) }, { answer: 'YES' });
  await afterResolution(arena, endOf(3));
}

test.each(['remove', 'hide'] as const)(
  'an amendment and a concurrent %s of an agent without a standing do not deadlock',
  async (action) => {
    await voidBeforeTwoWins();
    await arena.query(`insert into rationales (round_id, agent_id, model) values (1, ${FIRST}, 'm')`);
    const clock = manualClock(endOf(3).toISOString());
    const { newEm } = arena;
    const deps = { ...arena, clock, market: { ...arena.market, source: 'another' }, announce: () => {} };
    await using stack = new AsyncDisposableStack();
    const blocker = stack.adopt(new Client(arena.connection), (client) => client.end());
    await blocker.connect();
    // The amendment has the sums of models then, and goes on to the standings.
    await blocker.query('begin; lock table standings in share mode');
    const waiting = (many: number) => async () =>
      (
        await arena.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length === many;
    const amending = amendRound(deps, { ...ORDER, action: 'amend', of: 'rounds', id: 1, outcome: 'YES' });
    await until('the amendment waits for the standings', waiting(1));
    const acting = actOnAgent(
      { newEm, clock, randomBytes, keyPepper: undefined, publish: () => {} },
      { ...ORDER, action, of: 'agents', id: FIRST, round: 1 },
    );
    await until('both wait', waiting(2));
    await blocker.query('commit');
    const ended = await Promise.allSettled([amending, acting]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await arena.query('select agent_id from standings order by 1')).toEqual([
      { agent_id: FIRST },
      { agent_id: STREAK },
    ]);
    expect(await arena.query(`select model from model_sums where period = 'alltime'`)).toEqual([]);
  },
);
