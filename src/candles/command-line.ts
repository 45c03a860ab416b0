import { parseArgs } from 'node:util';

import { CommandError, withExitCodes } from '../command-line.ts';
import { ASSETS, isAsset } from '../rules/assets.ts';
import { StartError } from '../rules/errors.ts';
import { importCandles } from './import-candles.ts';
import { FORMATS, type FormatName } from './row-reader.ts';

const FORMAT_NAMES = Object.keys(FORMATS).join('|');
const HELP = `npx hourcast candles import FILE... --from ${FORMAT_NAMES} --asset BTC --to FOLDER [--check]
  Merges candles of a minute into the FOLDER of MARKET=replay:FOLDER and of the clients' backtest --candles FOLDER.
  A FILE is CSV, gzipped or in a zip, in any order, with or without a header. --check writes nothing and needs no --to.
  Exit code: 0 done, 1 refused, 2 a wrong command.
`;
const text = { type: 'string' } as const;
const OPTIONS = { from: text, asset: text, to: text, check: { type: 'boolean' }, help: { type: 'boolean' } } as const;

export const candlesCommand = withExitCodes(async (words: readonly string[]) => {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  const { from: format = '', asset = '', to: folder = null, check = false, help = false } = values;
  const [name, ...files] = positionals;
  if (help) return { code: 0, stdout: HELP };
  if (name !== 'import' || files.length === 0) return { code: 2, stderr: HELP };
  if (!isFormat(format)) throw new CommandError(`--from must be one of ${FORMAT_NAMES} (got ${format}).`);
  if (!isAsset(asset)) throw new CommandError(`--asset must be one of ${ASSETS.join(', ')} (got ${asset}).`);
  if (folder === null && !check) throw new CommandError('--to must name the folder to write, unless --check is given.');
  const imported = await importCandles({ files, format, asset, folder, writes: !check }).catch((cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new StartError(`The folder must be one that can be written (got ${cause.message}).`, { cause });
  });
  return { code: 0, stdout: reportOf(imported, check) };
}, HELP);

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

function reportOf(imported: Awaited<ReturnType<typeof importCandles>>, check: boolean): string {
  const { path, read, candles, repeated, first, last, gaps, missing, listed } = imported;
  const lines = [
    ...read.map(({ name, rows, unit }) => `${name}: rows: ${rows}, ${unit}`),
    `${check ? 'Checked' : `Written to ${path}`}: candles: ${candles}, ${first} to ${last}; repeated rows: ${repeated}.`,
    `Gaps: ${gaps}, missing minutes: ${missing}${gaps > listed.length ? '; the first:' : '.'}`,
    ...listed.map((gap) => `  ${gap}`),
  ];
  return `${lines.join('\n')}\n`;
}
