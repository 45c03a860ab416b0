import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { gitOutput } from '../scripts/git-output.ts';
import { type Pair, type Spread, spreadOf } from './compare.ts';
import { quotedRatios, withPart } from './quoted-ratios.ts';

const RESULTS = join(import.meta.dirname, 'results.md');
const PAGE = join(import.meta.dirname, '../docs/performance.md');
const README = join(import.meta.dirname, '../README.md');
const GIGABYTE = 2 ** 30;

/** Markdown. */
export interface Result {
  /** As in `npm run bench -- P3`. */
  readonly name: string;
  readonly text: string;
}

export interface Line {
  readonly what: string;
  readonly pairs: readonly Pair[];
}

/** Above 1 the service is ahead, except in a line of p99. */
export function ratioTable(beside: string, lines: readonly Line[]): string {
  const clients = spreadOf(lines.map(({ pairs }) => Math.round(middle(pairs, ({ ours }) => ours.clientUs))));
  const head = [
    `beside ${beside}; client ${rangeOf(clients)} µs`,
    ...SPREAD_HEAD,
    'by processor time',
    'a second: here, there',
    'p99 ms: here, there',
  ];
  return markdown([
    head,
    ...lines.map(({ what, pairs }) => [what, ...spreadCells(rates(pairs)), processor(pairs), ...figures(pairs)]),
  ]);
}

/** The ratio of p99; below 1 the service is ahead. */
export function latencyLine(pairs: readonly Pair[]): string {
  const [median, range] = spreadCells(spreadOf(pairs.map(({ ours, theirs }) => ours.p99 / theirs.p99)));
  return `p99 to p99 there, smaller is better: ${median}, ${range}`;
}

export function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const [first = '', ...lines] = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [first, `|---|${'--:|'.repeat(head.length - 1)}`, ...lines].join('\n');
}

/** The head of {@link spreadCells}. */
export const SPREAD_HEAD: readonly string[] = ['median', 'from-to'];

export function spreadCells({ min, median, max }: Spread): string[] {
  return [`**${ratio(median)}**`, `${digits(min)}-${digits(max)}`];
}

export const ratio = (value: number): string => `${digits(value)} x`;

/** A hyphen where processor time cannot be read. */
export const digits = (value: number): string =>
  Number.isFinite(value) ? value.toFixed(value >= 10 ? 0 : value >= 0.1 ? 2 : 4) : '-';

const rangeOf = ({ min, max }: Spread): string => (min === max ? String(min) : `${min}-${max}`);

const rates = (pairs: readonly Pair[]): Spread => spreadOf(pairs.map(({ ours, theirs }) => ours.rate / theirs.rate));

const middle = (pairs: readonly Pair[], of: (pair: Pair) => number): number => spreadOf(pairs.map(of)).median;

const processor = (pairs: readonly Pair[]): string =>
  digits(middle(pairs, ({ ours, theirs }) => theirs.cpuUs / ours.cpuUs));

const count = (value: number): string => Math.round(value).toLocaleString('en');

function figures(pairs: readonly Pair[]): string[] {
  return [
    `${count(middle(pairs, ({ ours }) => ours.rate))}, ${count(middle(pairs, ({ theirs }) => theirs.rate))}`,
    `${middle(pairs, ({ ours }) => ours.p99).toFixed(1)}, ${middle(pairs, ({ theirs }) => theirs.p99).toFixed(1)}`,
  ];
}

/** Place and time of a measurement. */
export function machine(service: string): string {
  const [first] = cpus();
  const commit = gitOutput(service, ['rev-parse', '--short', 'HEAD']);
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `${at} UTC, ${cpus().length} x ${first?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / GIGABYTE)} GiB, ${process.platform}, Node ${process.versions.node}${commit === null ? '' : `, commit ${commit}`}`;
}

/** Updates bench/results.md, and the quotes in docs/performance.md and the README. Throws without markers. */
export function writeResult({ name, text }: Result): void {
  const written = withPart(readFileSync(RESULTS, 'utf8'), name, text);
  writeFileSync(RESULTS, written);
  const { readme, page } = quotedRatios(written);
  writeFileSync(PAGE, withPart(readFileSync(PAGE, 'utf8'), 'ratios', page));
  writeFileSync(README, withPart(readFileSync(README, 'utf8'), 'ratios', readme));
}
