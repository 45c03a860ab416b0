import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { connectionOf } from '../client.ts';
import { exportLines } from '../exports.ts';
import { EXPORTS, type Exports } from '../reference.ts';
import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';

const FORMATS = ['ndjson', 'csv'] as const;

export const EXPORT: Command = {
  name: 'export',
  usage: 'LIST [--format FORMAT] [--output FILE] [--filter NAME=VALUE]',
  about: 'writes a whole list, such as predictions or rounds, and goes on where the stream breaks',
  options: {
    format: { type: 'string', value: 'FORMAT', about: 'ndjson, a JSON object a line, or csv (ndjson)' },
    output: { type: 'string', value: 'FILE', about: 'where to; otherwise to standard output' },
    filter: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      about: 'only rows that match, such as agent=my-bot; may be given several times',
    },
  },
  words: [1, 1],
  async run({ clientOptions, words: [name = ''], given, output, signal }) {
    const format = FORMATS.find((one) => one === (given.text('format') ?? 'ndjson'));
    if (format === undefined) throw new UsageError(`--format must be ndjson or csv (got ${given.text('format')}).`);
    const filters = Object.fromEntries(given.texts('filter').map(filterOf));
    const file = given.text('output');
    const lines = exportLines(connectionOf(clientOptions), { name: listCalled(name), filters, format, signal });
    let count = 0;
    const written = async function* () {
      for await (const line of lines) {
        count += 1;
        output.progress(`Exporting ${name}: ${count.toLocaleString('en')} lines`);
        yield `${line}\n`;
      }
    };
    output.progress(`Exporting ${name}`);
    if (file === undefined) await pipeline(written, process.stdout, { end: false });
    else await pipeline(written, createWriteStream(file));
    output.idle();
    if (file !== undefined) output.note(`${count.toLocaleString('en')} lines are in ${file}.`);
  },
};

function filterOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--filter must be NAME=VALUE (got ${text}).`);
}

function listCalled(name: string): keyof Exports {
  const list = EXPORTS.find((one) => one === name);
  if (list !== undefined) return list;
  throw new UsageError(`LIST must be one of ${EXPORTS.join(', ')} (got ${name}).`);
}
