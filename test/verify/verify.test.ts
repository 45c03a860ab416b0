import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Findings } from '../../src/verify/findings.ts';
import { CannotVerify, type RoundRange } from '../../src/verify/settings.ts';
import { verify } from '../../src/verify/verification.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { playedService } from './played-service.ts';
import { withPlanted } from './planting.ts';
import { runVerify } from './verify-process.ts';

const field = playedService();
let printed: string[];

function verified(rounds: RoundRange | null = null): Promise<Findings> {
  printed = [];
  return verify({ url: field.service.url, rounds, candles: null }, { print: (line) => printed.push(line) });
}

test('a played service verifies without a difference', async () => {
  const { differences, compared, notes } = await verified();
  expect({ differences, notes }).toEqual({ differences: [], notes: [] });
  expect(compared).toBeGreaterThan(5000);
  expect(printed).toEqual([expect.stringMatching(/: 41 decided rounds \(1 void\), 1 to \d+, \d+ predictions\.$/)]);
});

test('the process reports no difference and exits with 0', async () => {
  const { code, lines, complaint } = await runVerify(['--url', field.service.url]);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(lines.at(-1)).toMatch(/^[\d,]+ values compared, no difference\.$/);
});

test('the process prints a difference with both values and exits with 1', async () => {
  const statement = `update standings set best_streak = best_streak + 1 where agent_id = 2
    returning 'agent Agent-2: bestStreak is ' || best_streak || ', recomputed ' || best_streak - 1 as place`;
  await withPlanted(field.service.newEm, { statements: [statement] }, async ([expected]) => {
    const { code, lines } = await runVerify(['--url', `${field.service.url}/`]);
    expect(code).toBe(1);
    expect(lines).toContain(expected?.place);
    expect(lines.at(-1)).toMatch(/values compared, \d+ differ\.$/);
  });
});

test('the process checks the log, prints what differs with the logged value, and keeps the checkpoint', async () => {
  await using folder = await scopedFolder();
  const file = join(folder.path, 'seen.json');
  const words = ['--log', field.service.url, '--log-file', file];
  const { code, lines, complaint } = await runVerify(words);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(lines[0]).toMatch(/^Read from .+: \d+ leaves, 41 decided rounds, 2 boards\.$/);
  expect(lines.at(-1)).toMatch(/^[\d,]+ values compared, no difference\.$/);
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toHaveLength(1);
  const statement = `update rounds set n = 7 where id = 3 returning 'round 3, as closed: n is "7", logged "-"' as place`;
  await withPlanted(field.service.newEm, { statements: [statement] }, async ([expected]) => {
    const again = await runVerify(words);
    expect(again).toMatchObject({ code: 1, complaint: '' });
    expect(again.lines).toContain(expected?.place);
  });
});

test('a checkpoint without a signature is refused with the key that must sign', async () => {
  const statement = `update log_state set note = split_part(note, '—', 1)`;
  await withPlanted(field.service.newEm, { statements: [statement] }, async () => {
    const { code, complaint } = await runVerify(['--log', field.service.url, '--log-file', '/nowhere/seen.json']);
    expect(code).toBe(2);
    expect(complaint).toMatch(
      /^The checkpoint must be signed by hourcast\.log\/[\da-f]{16}\+[\da-f]{8}\+\S+ \(got no signature\)\.\n$/,
    );
  });
});

test('the first rounds alone are checked without totals, with a note', async () => {
  expect((await verified({ first: 1, last: 12 })).differences).toEqual([]);
  expect(printed).toEqual([
    expect.stringMatching(/^Totals, standings, boards and stats were not checked: .+not all were read\.$/),
    expect.stringMatching(/: 12 decided rounds \(0 void\), 1 to 12, \d+ predictions\.$/),
  ]);
});

test('rounds in the middle are checked except for earlier streaks, with a note', async () => {
  expect((await verified({ first: 20, last: 35 })).differences).toEqual([]);
  expect(printed.at(-1)).toMatch(/^\d+ streak bonuses were not checked: they depend on rounds before/);
});

test('undecided rounds are refused with the decided ones', async () => {
  const refused = verified({ first: 900, last: 901 });
  await expect(refused).rejects.toThrow(CannotVerify);
  await expect(refused).rejects.toThrow(/^None of the rounds 900\.\.901 is decided: decided are 1 to \d+\.$/);
});
