import { describe, expect, test } from '@jest/globals';

import { HOUSE_AGENTS } from '../../scripts/house-agents/characters.ts';
import { type Glance, priceText } from '../../scripts/house-agents/glance.ts';
import { keptKeys } from '../../scripts/house-agents/kept-keys.ts';
import { arenaAt } from '../../scripts/house-agents/arena.ts';
import { checkAgentName } from '../../src/rules/agents.ts';
import { ASSETS, type Asset } from '../../src/rules/assets.ts';
import type { HistoryHour, Question, QuestionType } from '../../src/rules/questions/question.ts';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { recordOf } from '../support/http.ts';
import { listening } from '../support/listening.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An hour in which assets return these percents, and all others nothing. */
function hourOf(returns: Partial<Record<Asset, number>>): HistoryHour {
  return Object.fromEntries(
    ASSETS.map((asset) => {
      const close = priceText(100 + (returns[asset] ?? 0));
      const open = priceText(100);
      return [asset, { open, high: close > open ? close : open, low: close < open ? close : open, close }];
    }),
  );
}

const NO_PARAMS = { subject: null, operator: null, thresholdPct: null, n: null };

const questionOf = (questionType: QuestionType, choices: readonly Asset[]): Glance['question'] => ({
  questionType,
  choices,
  assets: choices,
  params: NO_PARAMS,
});

const UP: Pick<Question, 'params'> = { params: { ...NO_PARAMS, subject: 'SOL', operator: '>' } };
const DIRECTION: Glance['question'] = { questionType: 'direction', choices: ['YES', 'NO'], assets: ['SOL'], ...UP };
const PAIR = questionOf('relative', ['BTC', 'ETH']);

const glance: Glance = {
  roundId: 1,
  question: PAIR,
  before: hourOf({ BTC: 2, SOL: 1 }),
  soFar: hourOf({ ETH: 1 }),
  toCome: hourOf({ BTC: 1, SOL: -1 }),
  entries: ['ETH', 'BTC', 'ETH'],
};

function answerOf(character: string, seen: Glance): string | undefined {
  return HOUSE_AGENTS.find(({ name }) => name.endsWith(character))?.answer(seen)?.prediction;
}

describe.each(HOUSE_AGENTS)('house agent $name', ({ name, minute, answer }) => {
  test('a house agent has a valid name and a minute of the hour', () => {
    expect(() => checkAgentName(name)).not.toThrow();
    expect(minute >= 0 && minute < 60).toBe(true);
  });

  test.each([
    [DIRECTION],
    [PAIR],
    [questionOf('podium', ['ETH', 'BTC', 'SOL', 'DOT'])],
    [questionOf('best_performer', ASSETS)],
  ])('a house agent answers %j with a choice and a whole confidence, or not at all', (question) => {
    const answers = Array.from({ length: 20 }, (_, at) => answer({ ...glance, question, roundId: at + 1 }));
    expect(answers.some((given) => given !== null)).toBe(true);
    for (const given of answers) {
      if (given === null) continue;
      expect(question.choices).toContain(given.prediction);
      expect(Number.isInteger(given.confidence) && given.confidence >= 0 && given.confidence <= 100).toBe(true);
    }
  });
});

test.each([
  ['trend', 'BTC', 'YES'],
  ['contrarian', 'ETH', 'NO'],
  ['insider', 'BTC', 'NO'],
  ['sniper', 'ETH', 'NO'],
  ['halfway', 'ETH', 'NO'],
  ['copycat', 'ETH', 'YES'],
  ['yes', 'BTC', 'YES'],
])('the %s picks %s of two assets, and %s of YES and NO', (character, ofPair, ofDirection) => {
  const entries = ['YES', 'YES', 'NO'];
  expect([answerOf(character, glance), answerOf(character, { ...glance, question: DIRECTION, entries })]).toEqual([
    ofPair,
    ofDirection,
  ]);
});

const keyOf = (name: string): string => `pk_live_${Buffer.from(name).toString('hex').padEnd(48, '0')}`;

test('a stored key is used while it is valid, and a taken name gets a number', async () => {
  await using folder = await scopedFolder();
  const taken = new Set<string>();
  let known = new Set<string>();
  const server = createServer(async (request, response) => {
    const name = request.method === 'POST' ? String(recordOf(await json(request))['name']) : '';
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const status = name === '' ? (known.has(key) ? 200 : 401) : taken.has(name) ? 409 : 201;
    if (name !== '') [taken, known].forEach((set, place) => set.add(place === 0 ? name : keyOf(name)));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status < 300 ? { api_key: keyOf(name) } : { error: 'It is so.', code: 'conflict' }));
  });
  await using service = await listening(server);
  const arena = arenaAt(service.url, new AbortController().signal);
  const file = join(folder.path, 'data', 'keys.json');
  expect(await keptKeys(file, arena).keyOf('you')).toBe(keyOf('you'));
  expect(await keptKeys(file, arena).keyOf('you')).toBe(keyOf('you'));
  expect([...taken]).toEqual(['you']);
  known = new Set();
  expect(await keptKeys(file, arena).keyOf('you')).toBe(keyOf('you-2'));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ you: keyOf('you-2') });
});
