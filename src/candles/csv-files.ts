import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';

import { StartError } from '../rules/errors.ts';

const CHUNK = 2 ** 16;
const MAX_LINE = 1000;
/** Candles compress to a fifth; repeated bytes that fill a disk, to a thousandth. */
const MAX_EXPANSION = 100;

/**
 * The CSV file at a path, gzipped or not, or the CSV files of a zip, without writing them to a disk. If a zip has
 * several, `isWanted` selects by name. `lines` yields some lines at a time, without their ends.
 */
export async function* csvFilesAt(path: string, isWanted: (name: string) => boolean) {
  await using file = await open(path);
  const { size: compressedSize } = await file.stat();
  const mark = (await file.read(Buffer.alloc(2), 0, 2, 0)).buffer.toString('latin1');
  if (mark !== 'PK') {
    const stored = createReadStream(path, { highWaterMark: CHUNK });
    const data = mark === '\u001F\u008B' ? pipeline(stored, createGunzip({ chunkSize: CHUNK }), () => {}) : stored;
    yield { name: path, lines: linesOf(path, data, { compressedSize }) };
    return;
  }
  const zip = await openPromise(path, { autoClose: false });
  try {
    const all: Entry[] = [];
    for await (const entry of zip.eachEntry()) if (/^(?!__MACOSX).*\.csv$/i.test(entry.fileName)) all.push(entry);
    const wanted = all.filter(({ fileName }) => all.length === 1 || isWanted(basename(fileName)));
    if (wanted.length === 0)
      throw new StartError(`${path} must have a CSV file of this asset (got ${all.length} of others).`);
    for (const entry of wanted) {
      const name = `${path}/${entry.fileName}`;
      if (!entry.canDecodeFileData())
        throw new StartError(
          `${name} must be stored or deflated, and not encrypted (got ${entry.isEncrypted() ? 'encrypted' : `method ${entry.compressionMethod}`}).`,
        );
      yield { name, lines: linesOf(name, await zip.openReadStreamPromise(entry), entry) };
    }
  } finally {
    zip.close();
  }
}

type FileSums = Pick<Entry, 'compressedSize'> & Partial<Pick<Entry, 'crc32'>>;

async function* linesOf(name: string, chunks: AsyncIterable<Buffer>, { compressedSize, crc32: sum = 0 }: FileSums) {
  let [rest, bytes, seen] = ['', 0, 0];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_EXPANSION * compressedSize + CHUNK)
      throw new StartError(`${name} must not expand to more than ${MAX_EXPANSION} times its size.`);
    if (sum !== 0) seen = crc32(chunk, seen);
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE)
      throw new StartError(`${name} must not have lines of more than ${MAX_LINE} characters.`);
    yield lines;
  }
  yield [rest];
  if (seen !== sum) throw new StartError(`${name} must have the checksum that its zip states: it is damaged.`);
}
