import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { spreadOf } from '../bench/compare.ts';
import { openResolvingSide, type Taken } from './resolving-side.ts';
import { prepareTwoUpdates, resolveByTwoUpdates } from './two-updates.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
});
const AGENTS = Number(positionals[0] ?? 100_000);
/** The last hours push the first ones out of the daily window, so adding to it and removing from it are both measured. */
const HOURS = [...Array.from({ length: Number(positionals[1] ?? 3) }, (_, index) => index), 24, 25];
const FIGURES = ['seconds', 'busySeconds', 'walMegabytes'] as const satisfies readonly (keyof Taken)[];

/**
 * Resolves rounds in which every agent predicted, on an embedded PostgreSQL, beside two plain UPDATEs (two-updates.ts). Prints
 * wall and processor time, and the written log. `--beside=/path/to/checkout` resolves the same rounds by another version in turn,
 * and prints the ratios.
 */
await using stack = new AsyncDisposableStack();
const here = stack.use(await openResolvingSide(join(import.meta.dirname, '..'), AGENTS));
const other = options.beside === undefined ? null : stack.use(await openResolvingSide(options.beside, AGENTS));
const pairs: (readonly [Taken, Taken])[] = [];
for (const [index, hour] of HOURS.entries()) {
  const turns = { here: null as Taken | null, other: null as Taken | null };
  const order = [['here', here] as const, ...(other === null ? [] : [['other', other] as const])];
  for (const [name, side] of index % 2 === 0 ? order : order.toReversed()) {
    const { closing, resolution, follows } = await side.resolve(hour);
    turns[name] = resolution;
    print(`hour ${hour}, ${name}, closing`, closing);
    print(`hour ${hour}, ${name}`, resolution);
    if (follows !== null) print(`hour ${hour}, ${name}, what follows`, follows);
  }
  if (turns.here !== null && turns.other !== null) pairs.push([turns.here, turns.other]);
}
for (const figure of pairs.length === 0 ? [] : FIGURES) {
  const { min, median, max } = spreadOf(pairs.map(([one, beside]) => one[figure] / beside[figure]));
  process.stdout.write(`here to other, ${figure}: ${min.toFixed(2)}, median ${median.toFixed(2)}, ${max.toFixed(2)}\n`);
}
await prepareTwoUpdates(here.newEm(), AGENTS);
print('two UPDATEs', await here.measured(() => resolveByTwoUpdates(here.newEm())));
process.stdout.write(`At most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory in this process\n`);

function print(name: string, { seconds, busySeconds, walMegabytes }: Taken): void {
  process.stdout.write(
    `${name}: ${AGENTS} predictions in ${seconds.toFixed(2)} s, ${busySeconds.toFixed(2)} s of the processor, ${walMegabytes.toFixed(1)} MB of log\n`,
  );
}
