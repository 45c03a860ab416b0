import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { stopEmbeddedPostgres } from '../../../src/database/embedded-postgres.ts';
import { type ArenaNeeds, arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { deployment } from '../../support/deployment.ts';
import { untilDespiteFaults } from '../../support/poll.ts';

const SPEED = 1_200;
const DISK_MB = 112;

/** A disk of its own, in memory, which root alone can mount. */
async function smallDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-disk-'));
  await chmod(folder, 0o755);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]).status === 0;
  const dataDir = join(folder, 'data');
  const filling = join(folder, 'filling');
  return {
    isMounted,
    dataDir,
    /** Leaves not one byte. */
    async fill() {
      const end = await writeFile(filling, Buffer.alloc(DISK_MB * 1024 * 1024)).catch((error: unknown) => error);
      expect(end).toMatchObject({ code: 'ENOSPC' });
    },
    free: () => rm(filling),
    async [Symbol.asyncDispose]() {
      await stopEmbeddedPostgres(dataDir);
      if (isMounted) spawnSync('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillWhileUnderLoad(needs: ArenaNeeds, disk: { fill(): Promise<void>; free(): Promise<void> }) {
  await using arena = await arenaUnderFault(needs);
  await arena.undergo({
    name: 'disk of the data folder full for some 5 s',
    async happen(during) {
      await disk.fill();
      await untilDespiteFaults('writes are refused', () => during.countOf(503) > 5);
      await delay(3_000);
      await disk.free();
    },
  });
}

const canMount = await smallDisk().then(async (disk) => {
  await disk[Symbol.asyncDispose]();
  return disk.isMounted;
});

describe('full disk under the embedded PostgreSQL', () => {
  (canMount ? test : test.skip)(
    'a full disk refuses writes, and the service continues once there is room',
    async () => {
      await using disk = await smallDisk();
      await mkdir(disk.dataDir);
      await using service = await deployment({ CLOCK_SPEED: String(SPEED), DATA_DIR: disk.dataDir });
      await service.start();
      const lines = async () => (await readFile(join(disk.dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      const connection = async () => ({
        host: (await lines())[4]?.trim(),
        port: 5432,
        user: 'postgres',
        database: 'hourcast',
      });
      await fillWhileUnderLoad({ urls: service.urls, connection, speed: SPEED, seed: 17 }, disk);
      expect(await service.first.end('SIGTERM')).toMatchObject({ code: 0, signal: null });
    },
  );
});
