import { describe, expect, test } from '@jest/globals';

import { filesIn, offences } from './source-files.ts';

/** A driver, and the only files that name it; those beside it in a folder of the driver's own do too. */
const DRIVERS = [
  { driver: /^src\/backplane\/open-backplane\.ts$/, by: ['src/app/app.ts', 'src/app/open-feed.ts'] },
  { driver: /^src\/backplane\/redis\/backplane\.ts$/, by: ['src/backplane/open-backplane.ts'] },
  { driver: /^src\/backplane\/redis\/(queue|bus|limiter)\.ts$/, by: ['src/backplane/redis/backplane.ts'] },
  {
    driver: /^src\/backplane\/redis\/client\.ts$/,
    by: ['backplane', 'bus', 'limiter', 'queue', 'faults'].map((file) => `src/backplane/redis/${file}.ts`),
  },
  { driver: /^src\/backplane\/redis\/faults\.ts$/, by: ['src/doctor/doctor.ts'] },
  {
    driver: /^src\/backplane\/redis\/address\.ts$/,
    by: [
      'config',
      'backplane/open-backplane',
      'backplane/redis/backplane',
      'backplane/redis/client',
      'backplane/redis/faults',
    ].map((file) => `src/${file}.ts`),
  },
  // Redis's bus and limiter are insured by those of this process.
  {
    driver: /^src\/backplane\/local\.ts$/,
    by: ['backplane/open-backplane', 'backplane/redis/backplane', 'backplane/redis/bus', 'backplane/redis/limiter'].map(
      (file) => `src/${file}.ts`,
    ),
  },
  { driver: /^src\/database\/embedded-postgres\.ts$/, by: ['src/app/open-database.ts', 'src/database/on-database.ts'] },
  { driver: /^src\/database\/embedded-postgres\//, by: ['src/database/embedded-postgres.ts'] },
  {
    driver: /^src\/market\/(live\/live|replay\/replay|simulated\/simulated)\.ts$/,
    by: ['src/app/open-market.ts'],
  },
  { driver: /^src\/market\/live\/exchanges\/(coinbase|kraken|binance)\.ts$/, by: ['src/market/live/live.ts'] },
];

const FILES = filesIn('src');

describe('imports of drivers', () => {
  test.each(DRIVERS)('$driver is imported only by $by', ({ driver, by }) => {
    expect(FILES.some(({ path }) => driver.test(path))).toBe(true);
    expect(
      offences(FILES, ({ path }, { target }) => driver.test(target) && !driver.test(path) && !by.includes(path)),
    ).toEqual([]);
  });

  test('main.ts and app.ts are imported only by those who start the service', () => {
    expect(offences(FILES, (_file, { target }) => target === 'src/main.ts')).toEqual([]);
    const starting = ['src/main.ts', 'src/app/temporary-service.ts'];
    expect(offences(FILES, ({ path }, { target }) => target === 'src/app/app.ts' && !starting.includes(path))).toEqual(
      [],
    );
  });
});
