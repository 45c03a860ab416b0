// Makes the client of this clone of its sources, as they are now. A bot elsewhere imports it from 'hourcast-client'.

import { fileURLToPath } from 'node:url';

const { build } = await import('esbuild').catch(() => {
  console.error('The examples need the packages of this repository: run `npm ci` in its folder first.');
  process.exit(1);
});

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../clients/js/src/index.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const [{ contents }] = outputFiles;

export const { createClient } = await import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
