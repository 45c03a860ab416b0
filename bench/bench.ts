import { fanOut } from './fan-out.ts';
import { hostile } from './hostile.ts';
import { processes } from './processes.ts';

const BENCHES: Readonly<Record<string, () => Promise<string>>> = { 'fan-out': fanOut, processes, hostile };

/** The benchmarks that are named, or all, one after the other; each answers its table. */
const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`A benchmark is one of ${Object.keys(BENCHES).join(', ')} (got ${unknown.join(', ')}).\n`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length === 0 || named.includes(name)) process.stdout.write(`\n${await bench()}\n`);
}
