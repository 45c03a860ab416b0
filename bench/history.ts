import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { stopEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import type { History } from './history-shapes.ts';

const ROOT = join(import.meta.dirname, '..');
/** Git, Docker and the checks ignore folders of this name. */
const KEPT = join(ROOT, '.data-bench');
/** A change of these files invalidates cached histories. */
const MAKERS = ['src/entities/migrations/*.ts', 'bench/history-writer.ts', 'bench/agents.ts'];

const run = promisify(execFile);

/**
 * A cached data folder with this history, to be copied. Creating it takes minutes, and a new migration requires it again. A service in
 * another folder migrates it when it starts.
 */
export async function historyFolder(history: History): Promise<string> {
  const shape = JSON.stringify(history);
  const folder = join(KEPT, createHash('sha256').update(shape).digest('hex').slice(0, 12));
  const stamp = `${folder}.made-of`;
  const makers = hashOfMakers();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === makers) return folder;
  process.stderr.write(`Making a history of ${shape} in ${folder}, which is kept for the next run ...\n`);
  await rm(stamp, { force: true });
  // Left by an interrupted run.
  await stopEmbeddedPostgres(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(KEPT, { recursive: true });
  // Root runs PostgreSQL as another account, which must reach the files.
  await chmod(KEPT, 0o755);
  await run(process.execPath, [join(import.meta.dirname, 'history-writer.ts'), folder, shape]);
  await writeFile(stamp, makers);
  return folder;
}

function hashOfMakers(): string {
  const hash = createHash('sha256');
  for (const path of globSync(MAKERS, { cwd: ROOT }).toSorted()) hash.update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}
