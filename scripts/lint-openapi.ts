import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import packageFile from '../package.json' with { type: 'json' };
import { serviceReference } from '../src/openapi/document.ts';
import { makeSchema } from '../src/resolvers/schema.ts';
import { compileTable } from '../src/rest/compile.ts';
import { ENDPOINTS } from '../src/rest/endpoints.ts';

/* Lints this code's reference. Nothing is sent anywhere. */

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const schema = makeSchema();
const folder = mkdtempSync(join(tmpdir(), 'hourcast-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  writeFileSync(
    file,
    JSON.stringify(
      serviceReference({ schema, table: compileTable(ENDPOINTS, schema), version: packageFile.version }),
      null,
      2,
    ),
  );
  const words = [fileOf('node_modules/@redocly/cli/bin/cli.js'), 'lint', '--config', fileOf('redocly.yaml'), file];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...QUIET } });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
