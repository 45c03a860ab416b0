import { fanOut } from './fan-out.ts';
import { processes } from './processes.ts';

/** The benchmarks, one after the other; each answers its table. */
for (const bench of [fanOut, processes]) process.stdout.write(`\n${await bench()}\n`);
