/**
 * The table of ARCHITECTURE.md that says how far one has to read: by way, how many files of src are entered on it at
 * the most. test/ways.test.ts holds it; `npm run measure:house` prints it.
 */
export function statedWays(architecture: string): ReadonlyMap<string, number> {
  const rows = architecture.matchAll(/^\| ([^|]+) \| at most (\d+) files \|/gm);
  return new Map([...rows].map(([, way = '', max]) => [way, Number(max)]));
}
