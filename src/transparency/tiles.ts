import { HASH_BYTES, rootOf, type SubtreeHash } from './merkle.ts';

/* Tiles of C2SP tlog-tiles: tile `index` of `level` has up to 256 hashes of subtrees of 256^level leaves, in order. */

export const TILE_HASHES = 256;
/** The subtrees' levels between two levels of tiles: 2^8 hashes make one hash above. */
const TILE_HEIGHT = 8;

interface TilePlace {
  readonly level: number;
  readonly index: number;
}

/** The bytes of a tile, at least its first `hashes` hashes. */
export type TileReader = (place: TilePlace, hashes: number) => Promise<Buffer>;

/** The hash of any complete subtree, from the tile that has its parts. */
export function hashesIn(read: TileReader): SubtreeHash {
  return async (level, index) => {
    const within = level % TILE_HEIGHT;
    const first = index * 2 ** within;
    const [tile, at] = [Math.floor(first / TILE_HASHES), first % TILE_HASHES];
    const end = at + 2 ** within;
    const bytes = await read({ level: Math.floor(level / TILE_HEIGHT), index: tile }, end);
    return rootOf(bytes.subarray(at * HASH_BYTES, end * HASH_BYTES));
  };
}

/** The last tile of a level in a tree of this size, empty where the one before it is full. */
export function lastTile(level: number, size: number): TilePlace {
  return { level, index: Math.floor(size / TILE_HASHES ** (level + 1)) };
}

/** The number of hashes of a tile in a tree of this size, 0 to 256. */
export function widthOf({ level, index }: TilePlace, size: number): number {
  const hashes = Math.floor(size / TILE_HASHES ** level);
  return Math.min(TILE_HASHES, Math.max(0, hashes - index * TILE_HASHES));
}

const DIGITS = 3;
const PATH = /^(\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/** The path of a tile behind `/log/tile/`; a tile that is not full carries its width. */
export function tilePath({ level, index }: TilePlace, width: number): string {
  const padded = String(index);
  const digits = padded.padStart(Math.ceil(padded.length / DIGITS) * DIGITS, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${name}${width < TILE_HASHES ? `.p/${width}` : ''}`;
}

/** Null for other texts, and for spellings that `tilePath` does not return. */
export function tileAt(path: string): { readonly place: TilePlace; readonly width: number } | null {
  const [, level = '', name = '', width = String(TILE_HASHES)] = PATH.exec(path) ?? [];
  const place = { level: Number(level), index: Number(name.replaceAll(/[x/]/g, '')) };
  const found = { place, width: Number(width) };
  return level !== '' && tilePath(place, found.width) === path && found.width > 0 ? found : null;
}
