// Express 5 by default, answering a round from memory with `res.json` and its default ETag.
import express from 'express';

import { listening } from './listening.mjs';

const ROUND = {
  id: 4711,
  question: 'Will BTC outperform ETH over the next hour?',
  question_type: 'relative',
  prediction_format: 'choice',
  choices: ['BTC', 'ETH'],
  start_time: '2026-11-20 10:00:00',
  end_time: '2026-11-20 11:00:00',
  status: 'active',
  total_entries: 12345,
  vertical_id: 1,
  time_remaining: 1800,
  source: 'simulated',
};

const app = express();
app.get('/hello', (_request, response) => response.json(ROUND));
listening(app.listen(0, '127.0.0.1'));
