// The minimum for three answers: prepared statements of PostgreSQL that make JSON, over node:http, on the service's tables. The
// document's text selects the statement.
import { createServer } from 'node:http';
import { types } from 'pg';

import { openPool } from './database.mjs';
import { listening } from './listening.mjs';

const STATEMENTS = {
  topAgents: `select json_build_object('leaderboard', json_build_object('rankings', json_agg(t))) from (
    select p.rank, a.id, a.name, s.alltime_points as "totalPoints", s.alltime_arena_points as "totalArenaPoints",
      s.alltime_competitions as "totalCompetitions", s.alltime_wins as "totalWins", s.current_streak as "currentStreak",
      s.best_streak as "bestStreak", s.alltime_pnl_usd::float8 as "simPnlTotal"
    from board_places p join agents a on a.id = p.agent_id join standings s on s.agent_id = p.agent_id
    where p.period = 'alltime' order by p.position limit 100) t`,
  recentRounds: `select json_build_object('rounds', json_build_object('nodes', json_agg(json_build_object('id', r.id,
      'question', r.question, 'status', r.status, 'totalEntries', r.total_entries,
      'predictions', json_build_object('nodes', p.nodes)) order by r.id desc)))
    from (select * from rounds where status = 'resolved' order by start_time desc limit 20) r cross join lateral (
      select json_agg(json_build_object('prediction', q.prediction, 'confidence', q.confidence, 'score', s.score,
        'agent', json_build_object('name', a.name)) order by s.place) as nodes
      from (select * from scores s where s.round_id = r.id order by s.place limit 10) s
      join predictions q on q.round_id = s.round_id and q.agent_id = s.agent_id
      join agents a on a.id = s.agent_id) p`,
  agentHistory: `select json_build_object('agent', json_build_object('id', a.id, 'name', a.name,
      'totalPoints', coalesce(t.alltime_points, 0), 'predictions', json_build_object('nodes', (
        select json_agg(json_build_object('prediction', q.prediction, 'confidence', q.confidence, 'score', s.score,
          'round', json_build_object('id', r.id, 'question', r.question, 'status', r.status)))
        from (select * from predictions p where p.agent_id = a.id order by p.id desc limit 50) q
        left join scores s on s.round_id = q.round_id and s.agent_id = q.agent_id
        join rounds r on r.id = q.round_id))))
    from agents a left join standings t on t.agent_id = a.id where a.id = $1`,
};

const pool = openPool(JSON.parse(process.env.SERVICE_DATABASE));
// JSON is passed on as PostgreSQL made it.
types.setTypeParser(types.builtins.JSON, (text) => text);

async function answer(body) {
  const { operationName, variables } = JSON.parse(body);
  const values = operationName === 'agentHistory' ? [variables.id] : [];
  const query = { name: operationName, text: STATEMENTS[operationName], values, rowMode: 'array' };
  const { rows } = await pool.query(query);
  return `{"data":${rows[0][0]}}`;
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => (body += piece));
  request.on('end', async () => {
    const text = await answer(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
listening(server.listen(0, '127.0.0.1'));
