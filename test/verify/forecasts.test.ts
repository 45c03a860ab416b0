import { expect, test } from '@jest/globals';

import { verify } from '../../src/verify/verification.ts';
import { CHECKPOINTS } from '../../src/rules/forecast/forecast.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import type { PlayedField } from '../support/played-field.ts';
import { scriptedMarket, withOutages } from '../support/scripted-market.ts';
import { sharedField } from '../support/shared.ts';
import { type PlantedError, withPlanted } from './planting.ts';

/** In every fourth hour no price is known. */
const prices = withOutages(scriptedMarket(), (hourStart) => hourStart.getUTCHours() % 4 === 3);
const HOURS = 26;

/** A day and more of rounds with agents who answer at random, of which some checkpoints were missed. */
const field = sharedField(
  { agents: 6, seed: 5, minutes: [1, 6, 20, 40], prices, start: '2026-01-01T11:59:00Z', keeping: { bytes: 0 } },
  async (played) => {
    await standFor(played);
    for (let hour = 0; hour < HOURS; hour += 1) await playHour(played, hour);
    await played.service.nextHour();
  },
);

/** What four of the agents answer in hours in which they do not by themselves; of two it is set again in the middle of an hour. */
async function standFor({ service, agents }: PlayedField): Promise<void> {
  await service.newEm().execute(
    `with rows as (
       insert into standing_rows (question_type, asset, agent_id, answers, confidence, set_at)
       select type, '*', agent, case when type in (${CHOICE_TYPES}) then array['DOT', 'LINK', 'ADA', 'DOGE', 'AVAX', 'SOL', 'ETH', 'BTC'] else array['YES'] end,
         10 * agent, case when agent < 3 then timestamptz '2026-01-01T11:00:00Z' else timestamptz '2026-01-01T20:20:00Z' end
       from unnest(array[${QUESTION_TYPES.map((type) => `'${type}'`).join(', ')}]) type cross join unnest(array[${agents.slice(0, 4).join(', ')}]) agent
       returning agent_id
     )
     insert into standing_agents (agent_id, lapses_at) select distinct agent_id, timestamptz '2026-02-01T00:00:00Z' from rows`,
  );
}

const CHOICE_TYPES = `'relative', 'best_performer', 'worst_performer', 'podium', 'volatility'`;

async function playHour(played: PlayedField, hour: number): Promise<void> {
  const { service } = played;
  const start = addHours(hourOf(service.clock.now()), 1);
  const turnAt = async (minute: number): Promise<void> => {
    service.clock.set(new Date(start.getTime() + minute * MINUTE));
    await service.turn();
  };
  await turnAt(0);
  await played.predict(0.8);
  for (const minute of CHECKPOINTS) await turnAt(hour % 5 === 2 && minute === 30 ? 33 : minute + 0.5);
}

function verified() {
  return verify({ url: field.service.url, rounds: null, candles: null }, { print: () => {}, wait: async () => {} });
}

test('forecasts, weights and records verify to the last bit, despite missed checkpoints and unknown prices', async () => {
  const { differences, compared } = await verified();
  expect(differences).toEqual([]);
  const [{ n } = { n: 0 }] = await field.service
    .newEm()
    .execute<{ n: number }[]>('select count(*)::int as n from forecast_scores');
  expect(n).toBeGreaterThan(4 * HOURS);
  expect(compared).toBeGreaterThan(40 * n);
  const [{ edges, arena }] = await field.service
    .newEm()
    .execute<[{ edges: number; arena: number }]>(
      'select count(edge_millionths)::int as edges, count(arena_edge_millionths)::int as arena from scores',
    );
  const [{ early, late } = { early: 0, late: 0 }] = await field.service
    .newEm()
    .execute<{ early: number; late: number }[]>(
      `select count(*) filter (where set_at <= start_time)::int as early, count(*) filter (where set_at > start_time)::int as late
     from predictions p join rounds r on r.id = p.round_id where standing`,
    );
  expect(Math.min(early, late)).toBeGreaterThan(1);
  expect(arena).toBe(edges);
  expect(arena).toBeGreaterThan(HOURS);
});

const FORECAST = `'round ' || f.round_id || ', forecast of minute ' || f.minute`;
/** A round whose forecasts others rest on. */
const WHERE = 'f.round_id = 9 and f.minute = 15';

const CHECKPOINT = `array_position(array[${CHECKPOINTS.join(', ')}], minute::int)`;

const ERRORS: readonly PlantedError[] = [
  {
    name: 'a probability that was changed afterwards',
    statements: [
      `update round_forecasts f set probabilities[1] = probabilities[1] + 1e-15 where ${WHERE}
       returning ${FORECAST} as place, 'probabilities' as name`,
    ],
  },
  {
    name: 'the weight of a candidate',
    statements: [
      `update round_forecasts f set weights[4] = weights[4] * 1.01 where ${WHERE}
       returning ${FORECAST} || ', whole' as place, 'weight' as name`,
    ],
  },
  {
    name: 'a prediction that was left out',
    statements: [
      `update round_forecasts f set entries = entries - 1 where ${WHERE}
       returning ${FORECAST} as place, 'probabilities' as name`,
    ],
  },
  {
    name: 'records and weights of another moment',
    statements: [
      `update round_forecasts f set decided_until = decided_until - interval '5 hours' where ${WHERE.replace('9', '20')}
       returning ${FORECAST} as place, 'priceWeight' as name`,
    ],
  },
  {
    name: 'a forecast that knows of its own outcome',
    statements: [
      `update round_forecasts f set decided_until = decided_until + interval '5 hours' where ${WHERE}
       returning ${FORECAST} as place, 'knows_only_of_earlier_decisions' as name`,
    ],
  },
  {
    name: 'a forecast that was written after its minute',
    statements: [
      `update round_forecasts f set recorded_at = recorded_at + interval '50 minutes' where ${WHERE}
       returning ${FORECAST} as place, 'is_in_time' as name, to_jsonb(false) as published, to_jsonb(true) as recomputed`,
    ],
  },
  {
    name: 'an edge over the arena',
    statements: [
      `update scores s set arena_edge_millionths = s.arena_edge_millionths + 1 from predictions p, agents a
       where (s.round_id, s.place) = (select round_id, place from scores where arena_edge_millionths is not null and round_id > 8
           order by round_id, place limit 1)
         and p.round_id = s.round_id and p.agent_id = s.agent_id and a.id = p.agent_id
       returning 'round ' || s.round_id || ', prediction ' || p.id || ' of ' || a.name as place, 'arenaEdge' as name`,
    ],
  },
  {
    name: 'a sum of edges over the arena',
    statements: [
      `update standings s set weekly_arena_edge_sum = weekly_arena_edge_sum + 1000 from agents a where a.id = s.agent_id and a.id = 2
       returning 'agent ' || a.name || ', weekly standing' as place, 'arenaEdge' as name`,
    ],
  },
  {
    name: 'how often what was called likely has happened',
    statements: [
      `update forecast_reliability set hits = hits - 1 where minute = 15 and judged = 'forecast' and hits > 0
       returning 'alltime forecast record, checkpoint 2' as place, 'calibration' as name`,
    ],
  },
  {
    name: 'a tenth of a kind’s calibration',
    statements: [
      `update forecast_sums set bins = jsonb_set(bins, '{0,hits}', '-1') where (kind, minute) = (
         select kind, minute from forecast_sums where kind <> '*' and bins <> '[]' order by 1, 2 limit 1)
       returning 'alltime forecast record of ' || kind || ', checkpoint ' || ${CHECKPOINT} as place, 'calibration' as name`,
    ],
  },
  {
    name: 'a stored sum of Brier scores, of all rounds or a kind',
    statements: [
      `update forecast_sums set sums = jsonb_set(sums, '{brier}', to_jsonb((sums ->> 'brier')::float8 + 0.01))
       where minute = 15 and kind in ('*', 'touch') returning 'alltime forecast record' || case kind when '*' then '' else ' of ' || kind end
         || ', checkpoint 2' as place, 'totalBrier' as name`,
    ],
  },
  {
    name: 'a place on a board by kind',
    statements: [
      `update kind_boards b set places = jsonb_set(places, '{0,points}', ((places -> 0 ->> 'points')::int + 5)::text::jsonb)
       where (kind, period, order_by, min_rounds) = (select kind, period, order_by, min_rounds from kind_boards
         where period = 'weekly' and order_by = 'EDGE' and min_rounds = 0 order by kind limit 1)
       returning 'weekly board of ' || kind || ', agent ' || (places -> 0 ->> 'agentId') as place, 'totalPoints' as name`,
    ],
  },
  {
    name: 'a Brier score',
    statements: [
      `update forecast_scores f set brier = brier - 0.01 where ${WHERE} returning ${FORECAST} as place, 'brier' as name`,
      `select 'monthly forecast record, checkpoint 2' as place, 'totalBrier' as name`,
    ],
  },
];

test.each(ERRORS)('verify finds the planted error: $name', async (planted) => {
  await withPlanted(field.service.newEm, planted, async (expected) => {
    const { differences } = await verified();
    expect(expected.length).toBeGreaterThan(0);
    expect(differences).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
  });
});
