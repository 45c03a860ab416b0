import { addHours } from '../../../../src/rules/hours.ts';
import type { Arena } from '../../../support/arena.ts';
import { DECIDED_HOUR } from './wavy-market.ts';

/** Empties the arena but for a round about BTC that is over and was answered rightly: the price has not come near 4 % above its start. */
export async function insertTouchRound(arena: Arena): Promise<void> {
  await arena.reset();
  await arena.query(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, subject,
       operator, threshold_pct, source, total_entries, confidence_sum)
     values ($1, $2, 'resolving', 'touch', 'boolean', 'asked by a test', '["YES","NO"]', 'BTC', '>=', 4,
       'coinbase+kraken+binance', 1, 80)`,
    [DECIDED_HOUR, addHours(DECIDED_HOUR, 1)],
  );
  await arena.query(
    `insert into round_assets (round_id, asset, position, provider_id) values (1, 'BTC', 0, 'BTC-USD')`,
  );
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at) values (1, 1, 'NO', 80, $1)`,
    [DECIDED_HOUR],
  );
}
