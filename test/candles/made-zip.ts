import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeEntry {
  readonly name: string;
  readonly text: string;
  readonly method?: number;
  readonly flags?: number;
  /** In the directory, instead of the right checksum. */
  readonly sum?: number;
  /** In the directory, instead of the right length. */
  readonly length?: number;
}

/** A zip as its specification lays it out: each file behind its local header, the directory, the end. */
export function madeZip(...entries: readonly MadeEntry[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, text, method = 8, flags = 0, sum, length } of entries) {
    const data = Buffer.from(text, 'latin1');
    const stored = method === 8 ? deflateRawSync(data) : data;
    // Version, flags, method, time, date, checksum, both lengths, length of the name, length of extra fields.
    const shared = Buffer.alloc(26);
    [20, flags, method, 0, 33].forEach((value, at) => shared.writeUInt16LE(value, 2 * at));
    [sum ?? crc32(data), stored.length, length ?? data.length].forEach((value, at) =>
      shared.writeUInt32LE(value, 10 + 4 * at),
    );
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, Buffer.from(name), stored]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), shared, rest, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  [entries.length, entries.length].forEach((value, at) => end.writeUInt16LE(value, 4 + 2 * at));
  [listed.length, offset].forEach((value, at) => end.writeUInt32LE(value, 8 + 4 * at));
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end]);
}
