import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Row } from './row.ts';

const run = promisify(execFile);

/** P10: `npm run measure:resolution` in the service's folder. */
export const resolution: Row = async ({ service }) => {
  const { stdout } = await run(process.execPath, [join(service, 'scripts/measure-resolution.ts')]);
  return `\`\`\`\n${stdout.trim()}\n\`\`\``;
};
