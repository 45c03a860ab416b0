import { sql } from 'kysely';

import type { DB } from '../../src/entities/tables.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { hashOf } from './arena.ts';
import { type Seeded, seeded } from './seeded.ts';
import { type ServiceSettings, startService, type TestService } from './service.ts';

/** A prediction with all its facts, read from their tables. */
export type Fact = Awaited<ReturnType<typeof readFacts>>[number];

/** A service whose rounds were played by random agents. */
export interface PlayedField {
  readonly service: TestService;
  readonly agents: readonly number[];
  readonly random: Seeded;
  /** All predictions, in the order of submission. */
  facts(): Promise<readonly Fact[]>;
  /** Each agent answers the current round with this probability. */
  predict(probability?: number): Promise<void>;
  /** Predicts and turns the hour repeatedly; follow-up work of decided rounds runs once, after the last. */
  play(hours: number, probability?: number): Promise<void>;
  /** Plays an hour without prices, which is void a day later. */
  playWithoutPrices(probability?: number): Promise<void>;
  /** Hours in which the service is down. */
  sleep(hours: number): Promise<void>;
}

/** A read-only field, and its predictions. */
export interface Played {
  readonly field: PlayedField;
  readonly facts: readonly Fact[];
}

interface Settings extends Pick<
  ServiceSettings,
  'start' | 'prices' | 'keeping' | 'port' | 'database' | 'intervals' | 'adminToken' | 'picks'
> {
  readonly agents: number;
  readonly seed?: number;
  /** Ascending minutes of the hour in which agents answer; default: at once. */
  readonly minutes?: readonly number[];
  /** Checkpoints at which the forecast is recorded if agents answer by minutes; default: none. */
  readonly checkpoints?: readonly number[];
}

export async function openField({
  agents: count,
  seed = 1,
  minutes,
  checkpoints = [],
  ...settings
}: Settings): Promise<PlayedField> {
  const service = await startService(settings);
  const random = seeded(seed);
  const agents = await addAgents(service, count);
  const writer = predictionWriter(service.submissions, service.clock, 0);
  const predict = async (probability = 0.7): Promise<void> => {
    const round = await activeRound(service);
    const offers = agents.flatMap((agentId) => {
      if (!random.chance(probability)) return [];
      const offered = {
        roundId: round.id,
        keyHash: hashOf(agentId),
        prediction: random.pick(round.choices),
        idempotencyKey: null,
      };
      return [{ ...offered, confidence: random.between(0, 100) }];
    });
    if (minutes === undefined) {
      await Promise.all(offers.map((offered) => writer.write(offered)));
      return;
    }
    const hour = hourOf(service.clock.now());
    const byMinute = Map.groupBy(offers, () => random.pick(minutes));
    for (const minute of [...new Set([...minutes, ...checkpoints])].toSorted((one, other) => one - other)) {
      service.clock.set(new Date(hour.getTime() + minute * MINUTE));
      await Promise.all((byMinute.get(minute) ?? []).map((offered) => writer.write(offered)));
      if (checkpoints.includes(minute)) await service.turn();
    }
  };
  const play = async (hours: number, probability?: number): Promise<void> => {
    for (let hour = 1; hour < hours; hour += 1) {
      await predict(probability);
      await service.passHour();
    }
    await predict(probability);
    await service.nextHour();
  };
  return {
    service,
    agents,
    random,
    predict,
    play,
    facts: () => readFacts(service),
    async playWithoutPrices(probability) {
      for (const asset of ASSETS) service.market.script(asset, hourOf(service.clock.now()), null);
      await play(1, probability);
    },
    async sleep(hours) {
      service.clock.set(new Date(addHours(hourOf(service.clock.now()), hours).getTime() + 10 * MINUTE));
      await service.turn();
    },
  };
}

async function addAgents(service: TestService, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'Agent-' || n, 'agent-' || n, 'compete', lpad(to_hex(n), 64, '0'), ${service.clock.now()}
    from generate_series(1, ${count}::int) n order by n returning id`.execute(service.newEm().getKysely());
  return rows.map(({ id }) => id);
}

export async function activeRound(service: TestService) {
  const rounds = service.newEm().getKysely<DB>().selectFrom('rounds').where('status', '=', 'active');
  return rounds.select(['id', 'choices']).executeTakeFirstOrThrow();
}

function readFacts(service: TestService) {
  const tables = service.newEm().getKysely<DB>();
  return tables
    .selectFrom('predictions as p')
    .innerJoin('rounds as r', 'r.id', 'p.round_id')
    .leftJoin('scores as s', (join) =>
      join.onRef('s.round_id', '=', 'p.round_id').onRef('s.agent_id', '=', 'p.agent_id'),
    )
    .select(['p.id', 'p.round_id as roundId', 'p.agent_id as agentId', 'p.prediction', 'p.confidence'])
    .select(['p.submitted_at as submittedAt', 'r.status', 'r.outcome', 'r.question_type as questionType', 'r.choices'])
    .select(['r.start_time as start', 'r.end_time as end', 's.score', 's.streak_bonus as streakBonus', 's.place'])
    .select(sql<readonly string[]>`(select array_agg(asset) from round_assets where round_id = r.id)`.as('assets'))
    .select(sql<number | null>`s.edge_millionths / 1e6::float8`.as('edge'))
    .select(sql<number | null>`s.pnl_usd::float8`.as('pnl'))
    .orderBy('p.id')
    .execute();
}
