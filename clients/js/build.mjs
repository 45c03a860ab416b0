// Makes dist/, what is published, of src/ and of the service's own rules and replay: Node runs no TypeScript in packages. The tools
// are the repository's: one checks and writes the types, the other the programs.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(at('../../node_modules/.bin/tsc'), ['-p', at('tsconfig.json')], { stdio: 'inherit' });

const ENTRIES = ['index', 'rules', 'backtest'];

/** The types that a file names, its own among them. */
const shown = new Set();
function show(file) {
  if (shown.has(file)) return;
  shown.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path] of text.matchAll(/'(\..+)\.ts'/g)) show(join(dirname(file), `${path}.d.ts`));
}
for (const name of ENTRIES) show(at(`dist/types/clients/js/src/${name}.d.ts`));
// A third of the package would be what the rules explain to who maintains them, and words about each field, which the service's
// own pages have as well: methods keep theirs.
const METHODS = 'export interface Endpoints';
for (const file of globSync(at('dist/types/**/*.d.ts'))) {
  if (!shown.has(file)) rmSync(file);
  else if (/types\/src\/|\/reference\.d\.ts$/.test(file)) {
    const [fields = '', ...methods] = readFileSync(file, 'utf8').split(METHODS);
    writeFileSync(file, [fields.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ''), ...methods].join(METHODS));
  }
}
await build({
  entryPoints: [...ENTRIES, 'cli/main'].map((name) => at(`src/${name}.ts`)),
  outdir: at('dist'),
  outbase: at('src'),
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[hash]',
  minify: true,
  format: 'esm',
  target: 'es2022',
  platform: 'node',
});
chmodSync(at('dist/cli/main.js'), 0o755);
copyFileSync(at('../../LICENSE'), at('LICENSE'));
