import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { addAgents, type Arena } from '../support/arena.ts';

const FIRST_HOUR = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

/** An instant of an hour counted from 2026-01-01 00:00 UTC. */
export function timeIn(hour: number, ms: number): Date {
  return new Date(FIRST_HOUR + hour * HOUR + ms);
}

/** Makes agents that each have a YES standing for every question of yes and no, whose confidence is the id's last two digits. */
export async function standAll(
  arena: Pick<Arena, 'query'> & Parameters<typeof addAgents>[0],
  agents: number,
): Promise<void> {
  await addAgents(arena, agents);
  await arena.query(
    `insert into standing_rows (question_type, asset, agent_id, answers, confidence, set_at)
     select t, '*', a.id, array['YES'], a.id % 100, $1 from agents a cross join unnest($2::text[]) t`,
    [timeIn(-1, 0), QUESTION_TYPES.slice(5)],
  );
  await arena.query(`insert into standing_agents (agent_id, lapses_at) select id, '2100-01-01T00:00:00Z' from agents`);
  await arena.query('analyze');
}

/** Opens the round of an hour, those before being over; returns its id. */
export async function openHour(arena: Pick<Arena, 'query'>, hour: number): Promise<number> {
  await arena.query(`update rounds set status = 'resolving' where status = 'active'`);
  const [row] = await arena.query<{ id: number }>(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source)
     values ($1, $2, 'active', $3, 'boolean', 'opened by a test', '["YES","NO"]', 'scripted') returning id`,
    [timeIn(hour, 0), timeIn(hour + 1, 0), QUESTION_TYPES[5 + (hour % 8)]],
  );
  if (row === undefined) throw new Error('The insert answered no id');
  return row.id;
}
