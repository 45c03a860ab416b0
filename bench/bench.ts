import { fanOut } from './fan-out.ts';

/** The benchmarks, one after the other; each answers its table. */
for (const bench of [fanOut]) process.stdout.write(`\n${await bench()}\n`);
