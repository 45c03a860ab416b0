import { beforeAll, expect, test } from '@jest/globals';

import { act, TOKEN } from '../operating/admin.ts';
import { type Player, predict, registerMany } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import { csvCells } from './csv-cells.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));

/** More than a page of the export holds. */
const MANY = 105;
const SAID = '=1+1,"a"\n- second line\ttabbed \u{1f680}';

let players: readonly Player[];
let round: number;

beforeAll(async () => {
  players = await registerMany(service, 'player', MANY);
  round = (await currentRound(service)).id;
  for (const [at, player] of players.entries())
    await predict(service, player, at === 1 ? {} : { rationale: SAID, ...(at % 2 === 0 && { model: `m ${at}` }) });
  await service.nextHour();
});

async function textOf(path: string): Promise<string> {
  return (await fetch(`${service.url}/api/export/${path}`)).text();
}

async function rowsOf(query = ''): Promise<readonly Record<string, unknown>[]> {
  const text = await textOf(`rationales.ndjson${query}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('the export of rationales has a row for each prediction with one, in order, over pages', async () => {
  const rows = await rowsOf();
  expect(rows).toHaveLength(MANY - 1);
  expect(rows[0]).toEqual({
    id: expect.any(Number),
    round_id: round,
    question_type: expect.any(String),
    start_time: '2026-01-01 12:00:00',
    agent_id: players[0]?.id,
    agent_name: 'player-1',
    model: 'm 0',
    rationale: SAID,
  });
  const ids = rows.map(({ id }) => Number(id));
  expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right));
  expect(await rowsOf(`?after=${ids[3]}`)).toEqual(rows.slice(4));
  expect(await rowsOf('?agent=player-3')).toEqual(rows.slice(1, 2));
  expect(await rowsOf('?to=1999-01-01')).toEqual([]);
});

test('a CSV cell has line breaks and quotes, and is no formula', async () => {
  const [heading, first] = csvCells(await textOf('rationales.csv'));
  expect(heading).toEqual([
    'id',
    'round_id',
    'question_type',
    'start_time',
    'agent_id',
    'agent_name',
    'model',
    'rationale',
  ]);
  expect(first?.at(-1)).toBe(`'${SAID}`);
});

test('the export excludes hidden rationales and those of removed agents', async () => {
  const [first, , third] = players;
  await act(service, 'hide', first?.id ?? 0, 'Abuse', { round });
  await act(service, 'remove', third?.id ?? 0, 'Asked for');
  const agents = (await rowsOf()).map(({ agent_id: id }) => id);
  expect(agents).toEqual(players.slice(3).map(({ id }) => id));
});
