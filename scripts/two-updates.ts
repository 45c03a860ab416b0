import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * The baseline of a resolution: two wide tables with the usual indexes, and two UPDATEs a round, without windows, boards, ranks
 * and evidence.
 */
export async function prepareTwoUpdates(em: SqlEntityManager, agents: number): Promise<void> {
  for (const statement of TABLES) await em.execute(statement.replaceAll('AGENTS', String(agents)));
}

/** In one transaction, for a round in which every agent predicted. */
export async function resolveByTwoUpdates(em: SqlEntityManager): Promise<void> {
  await em.transactional(async (transaction) => {
    for (const statement of UPDATES) await transaction.execute(statement);
  });
}

const TABLES = [
  `create schema two_updates`,
  `create table two_updates.agents (id int not null, name text not null, total_points int not null,
     total_competitions int not null, total_wins int not null, current_streak int not null, best_streak int not null,
     sim_pnl_total float8 not null)`,
  `insert into two_updates.agents select n, 'agent-' || n, (n::bigint * 7919) % 200000, 20, 10, n % 25, 30, 12.5
   from generate_series(1, AGENTS) n`,
  `alter table two_updates.agents add primary key (id)`,
  `create index on two_updates.agents (total_points desc, id)`,
  `create table two_updates.predictions (id bigint not null, agent_id int not null, round_id int not null,
     prediction text not null, confidence smallint not null, submitted_at timestamptz not null default now(), score int,
     is_correct smallint)`,
  `insert into two_updates.predictions (id, agent_id, round_id, prediction, confidence)
   select n, 1 + (n::bigint * 7919) % AGENTS, 1, case when (n::bigint * 13) % 7 < 4 then 'YES' else 'NO' end,
     (n::bigint * 29) % 101
   from generate_series(1, AGENTS) n`,
  `alter table two_updates.predictions add primary key (id)`,
  `create unique index on two_updates.predictions (round_id, agent_id)`,
  `create index on two_updates.predictions (agent_id, id desc)`,
  `create index on two_updates.predictions (round_id, score desc, id)`,
  `vacuum analyze two_updates.agents`,
  `vacuum analyze two_updates.predictions`,
];

const UPDATES = [
  `update two_updates.predictions p
   set is_correct = (p.prediction = 'YES')::int, score = 10
     + case when p.confidence >= 80 then (case when p.prediction = 'YES' then 100 else -50 end)
         when p.confidence >= 50 then (case when p.prediction = 'YES' then 60 else -30 end)
         else (case when p.prediction = 'YES' then 30 else -10 end) end
     + case when p.prediction <> 'YES' then 0 when a.current_streak >= 19 then 25 when a.current_streak >= 9 then 15
         when a.current_streak >= 4 then 10 when a.current_streak >= 2 then 5 else 0 end
   from two_updates.agents a where a.id = p.agent_id and p.round_id = 1`,
  `update two_updates.agents a
   set total_points = a.total_points + p.score, total_competitions = a.total_competitions + 1,
     total_wins = a.total_wins + p.is_correct, current_streak = case p.is_correct when 1 then a.current_streak + 1 else 0 end,
     best_streak = greatest(a.best_streak, case p.is_correct when 1 then a.current_streak + 1 else 0 end),
     sim_pnl_total = a.sim_pnl_total + case p.is_correct when 1 then p.confidence else -p.confidence end
   from two_updates.predictions p where p.round_id = 1 and p.agent_id = a.id`,
];
