import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';

import { median, table } from '../bench/table.ts';

const { values: options } = parseArgs({ options: { beside: { type: 'string' } } });

/** Written by `npm run codegen`, and migrations, which never change. */
const NOT_BY_HAND =
  /^(src\/(resolvers\/schema-types\.ts|entities\/migrations\/.*)|(src\/)?dashboard\/documents\/[a-z-]+\.ts)$/;
const LARGE = 250;
const SMALL = 25;

interface File {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/**
 * Counts the code a reader has to find their way through: `npm run measure:house`; `--beside=` adds another checkout's folder.
 * Call paths of older checkouts that cannot count them are `-`.
 */
const checkouts = [join(import.meta.dirname, '..'), ...(options.beside === undefined ? [] : [options.beside])];
const counts = checkouts.map(countsOf);
const names = new Set(counts.flatMap((one) => [...one.keys()]));
const rows = [...names].map((name) => [name, ...counts.map((one) => String(one.get(name) ?? '-'))]);
const heads = ['', 'here', 'beside'].slice(0, checkouts.length + 1);
process.stdout.write(`${table([heads, ...rows])}\n`);

function countsOf(checkout: string): Map<string, number> {
  const sources = filesOf(checkout, 'src');
  const tests = filesOf(checkout, 'test');
  const page = filesOf(checkout, 'dashboard').filter(({ path }) => !NOT_BY_HAND.test(path));
  const byHand = sources.filter(({ path }) => !NOT_BY_HAND.test(path));
  const lengths = byHand.map(({ lines }) => lines);
  const suites = tests.filter(({ path }) => path.endsWith('.test.ts'));
  return new Map([
    ['files loose in src', sources.filter(({ path }) => dirname(path) === 'src').length],
    ['files of src', sources.length],
    ['- without migrations and what is generated', byHand.length],
    ['- lines of these', sum(lengths)],
    ['- shortest', Math.min(...lengths)],
    ['- median', median(lengths)],
    ['- longest', Math.max(...lengths)],
    [`- above ${LARGE} lines`, lengths.filter((lines) => lines > LARGE).length],
    [`- under ${SMALL} lines`, lengths.filter((lines) => lines < SMALL).length],
    ['- imported by one file alone', importedOnce(byHand)],
    ['files of the page, without what is generated', page.length],
    ['- lines of the page', sum(page.map(({ lines }) => lines))],
    ['suites of test', suites.length],
    ['files beside the suites', tests.length - suites.length],
    ['lines of test', sum(tests.map(({ lines }) => lines))],
    ...Object.entries(callPathsOf(checkout)).map(([path, files]) => [`files entered: ${path}`, files] as const),
  ]);
}

function filesOf(checkout: string, folder: string): File[] {
  const listed = execFileSync('git', ['ls-files', '-z', `${folder}/*.ts`, `${folder}/*.tsx`], { cwd: checkout });
  const paths = listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(checkout, path)));
  return paths.map((path) => {
    const text = readFileSync(join(checkout, path), 'utf8');
    return { path, text, lines: text.split('\n').length - 1 };
  });
}

/** Files imported by exactly one other, types included. */
function importedOnce(files: readonly File[]): number {
  const importers = new Map<string, number>();
  for (const { path, text } of files) {
    const targets = [...text.matchAll(/^(?:import|export|\}).*? from '(\.[^']+)'/gm)].map(([, from = '']) =>
      normalize(join(dirname(path), from)),
    );
    for (const target of new Set(targets)) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  return files.filter(({ path }) => importers.get(path) === 1).length;
}

function callPathsOf(checkout: string): Readonly<Record<string, number>> {
  const script = join(checkout, 'scripts', 'call-paths.ts');
  if (!existsSync(script)) return {};
  const paths: Record<string, number> = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  return paths;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
