import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { spreadOf } from '../compare.ts';
import { markdown, spreadCells } from '../results.ts';
import type { Row } from './row.ts';

const run = promisify(execFile);

const [PREDICTIONS, PREDICTIONS_IF_QUICK] = [200_000, 50_000];
const FIGURES = ['time, s', 'processor time, s', 'WAL, MB'];
const LINE = /^(hour \d+, here|two UPDATEs): \d+ predictions in ([\d.]+) s, ([\d.]+) s of the processor, ([\d.]+) MB/gm;

/** P10: `npm run measure:resolution` in the service's folder, and the ratios to two UPDATEs. */
export const resolution: Row = async ({ service, isQuick }) => {
  const predictions = isQuick ? PREDICTIONS_IF_QUICK : PREDICTIONS;
  const hours = isQuick ? 1 : 3;
  const { stdout } = await run(process.execPath, [
    join(service, 'scripts/measure-resolution.ts'),
    String(predictions),
    String(hours),
  ]);
  const found = [...stdout.matchAll(LINE)].map(([, what, ...figures]) => ({ what, figures: figures.map(Number) }));
  const updates = found.find(({ what }) => what === 'two UPDATEs')?.figures ?? [];
  const rounds = found.filter(({ what }) => what !== 'two UPDATEs');
  const lines = FIGURES.map((name, place) => {
    const [there = Number.NaN, here] = [updates[place], rounds.map(({ figures }) => figures[place] ?? Number.NaN)];
    // A ratio of bytes is smaller if the service is ahead, unlike one of times.
    const ratios = here.map((figure) => (name.startsWith('WAL') ? figure / there : there / figure));
    return [name, ...spreadCells(spreadOf(ratios)), `${spreadOf(here).median}, ${there}`];
  });
  const head = [
    `${predictions.toLocaleString('en')} predictions beside two UPDATEs`,
    'min',
    'median',
    'max',
    'here, there',
  ];
  return `${markdown([head, ...lines])}\n\n\`\`\`\n${stdout.trim()}\n\`\`\``;
};
