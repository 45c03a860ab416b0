import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { spreadOf } from '../compare.ts';
import { markdown, SPREAD_HEAD, spreadCells } from '../results.ts';
import type { Row } from './row.ts';

const run = promisify(execFile);

const [PREDICTIONS, PREDICTIONS_IF_QUICK] = [200_000, 50_000];
const FIGURES = ['time, s', 'processor time, s', 'WAL, MB'];
const LINE =
  /^(?:hour (\d+), here(, what follows)?|two UPDATEs): \d+ predictions in ([\d.]+) s, ([\d.]+) s of the processor, ([\d.]+) MB/gm;

/** P10: `npm run measure:resolution` in the service's folder, and the ratios to two UPDATEs. */
export const resolution: Row = async ({ service, isQuick }) => {
  const predictions = isQuick ? PREDICTIONS_IF_QUICK : PREDICTIONS;
  const hours = isQuick ? 1 : 3;
  const { stdout } = await run(process.execPath, [
    join(service, 'scripts/measure-resolution.ts'),
    String(predictions),
    String(hours),
  ]);
  const found = [...stdout.matchAll(LINE)].map(([, hour, follows, ...figures]) => ({
    hour,
    isFollowUp: follows !== undefined,
    figures: figures.map(Number),
  }));
  const updates = found.find(({ hour }) => hour === undefined)?.figures ?? [];
  const rounds = found.filter(({ hour, isFollowUp }) => hour !== undefined && !isFollowUp);
  const followUps = found.filter(({ isFollowUp }) => isFollowUp);
  const lines = FIGURES.map((name, place) => {
    const at = ({ figures }: (typeof found)[number]): number => figures[place] ?? Number.NaN;
    const [there = Number.NaN, here] = [updates[place], rounds.map(at)];
    // A ratio of bytes is smaller if the service is ahead, unlike one of times.
    const ratios = here.map((figure) => (name.startsWith('WAL') ? figure / there : there / figure));
    return [name, ...spreadCells(spreadOf(ratios)), there.toString(), here.join(', '), followUps.map(at).join(', ')];
  });
  const head = [
    `${predictions.toLocaleString('en')} predictions beside two UPDATEs`,
    ...SPREAD_HEAD,
    'there',
    `hours ${rounds.map(({ hour }) => hour).join(', ')}`,
    'what follows each',
  ];
  return `${markdown([head, ...lines])}\n\n${stdout.trim().split('\n').at(-1) ?? ''}`;
};
