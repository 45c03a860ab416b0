// Express 5 and one INSERT a request: key from a map, body checked, a row written, a JSON answer. No limits, rounds or logs: the
// minimum of a submission.
import { createHash } from 'node:crypto';
import express from 'express';

import { openPool } from './database.mjs';
import { listening } from './listening.mjs';

const AGENTS = Number(process.argv[2]);
const INSERT = `insert into predictions (agent_id, round_id, prediction, confidence) values ($1, $2, $3, $4)
  on conflict do nothing returning id, submitted_at`;

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const agentsByKey = new Map();
for (let n = 1; n <= AGENTS; n += 1) agentsByKey.set(sha256(`pk_live_${n.toString(16).padStart(48, '0')}`), n);
const pool = openPool();

const app = express();
app.post('/api/predictions', express.json(), async ({ headers, body }, response) => {
  const agent = agentsByKey.get(sha256((headers.authorization ?? '').slice('Bearer '.length)));
  if (agent === undefined) return response.status(401).json({ error: 'invalid key' });
  const { round_id, prediction, confidence } = body ?? {};
  const isWhole = Number.isInteger(round_id) && Number.isInteger(confidence);
  if (!isWhole || typeof prediction !== 'string' || confidence < 0 || confidence > 100)
    return response.status(400).json({ error: 'bad request' });
  const { rows } = await pool.query({
    name: 'insert',
    text: INSERT,
    values: [agent, round_id, prediction, confidence],
  });
  if (rows.length === 0) return response.status(409).json({ error: 'already predicted' });
  const [{ id, submitted_at }] = rows;
  const submitted = submitted_at.toISOString().slice(0, 19);
  return response.status(201).json({
    success: true,
    prediction: { id: Number(id), agent_id: agent, round_id, prediction, confidence, submitted_at: submitted },
  });
});
listening(app.listen(0, '127.0.0.1'));
