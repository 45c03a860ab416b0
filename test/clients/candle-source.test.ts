import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from '@jest/globals';

import { candleFolder } from '../../clients/js/src/backtest.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { whereInstalled } from '../support/installed.ts';
import { run } from './programs.ts';

/* The guide's program that makes a folder of candles, beside an archive of two months as Binance lays it out. */

/** Two months of an hour each; the first counts milliseconds, the second microseconds. */
const ARCHIVE = String.raw`
import os, sys, zipfile
for asset in sys.argv[1:]:
    os.makedirs(f"archive/{asset}USDT/1m")
    for month, start, unit in (("2024-12", 1735686000, 1000), ("2025-01", 1735689600, 1000000)):
        name = f"{asset}USDT-1m-{month}"
        rows = [f"{(start + 60 * at) * unit},9.10,9.50,9.00,9.2{at % 10},3.5,{start},1,2,3,4,0" for at in range(60)]
        with zipfile.ZipFile(f"archive/{asset}USDT/1m/{name}.zip", "w") as archive:
            archive.writestr(f"{name}.csv", "\n".join(rows))
`;

whereInstalled(['python3'], 'candles.py of the guide', () => {
  test('the guide’s program writes a folder that a backtest reads', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'hourcast-archive-'));
    const guide = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
    const [, program = ''] = /```py\n(# candles\.py [\s\S]+?)```/.exec(guide) ?? [];
    const archive = pathToFileURL(join(cwd, 'archive')).href;
    writeFileSync(join(cwd, 'candles.py'), program.replace(/ARCHIVE = ".+"/, `ARCHIVE = "${archive}"`));
    await run(['python3', '-c', ARCHIVE, ...ASSETS], { cwd });
    const written = await run(['python3', 'candles.py', '2024-12', '2025-01'], { cwd });
    expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
    const from = new Date('2025-01-01T00:00:00Z');
    const past = await candleFolder(join(cwd, 'candles'), { from, to: new Date('2025-01-01T01:00:00Z') });
    for await (const round of past.rounds()) {
      const before = {
        hourStart: new Date('2024-12-31T23:00:00Z'),
        open: '9.10',
        high: '9.50',
        low: '9.00',
        close: '9.29',
      };
      expect(round.candles.DOT).toEqual([{ ...before, volume: '210.0' }]);
      expect(round.shownAt('BTC', new Date('2025-01-01T00:59:00Z'))).toEqual({ price: 9.1, high: 9.5, low: 9 });
    }
    expect(past.count).toBe(1);
    await rm(cwd, { recursive: true });
  });
});
