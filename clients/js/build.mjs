// Makes dist/, what is published, of src/ and of the service's own rules: Node runs no TypeScript in packages. The tools are the
// repository's: one checks and writes the types, the other the programs.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const compile = (...options) =>
  execFileSync(at('../../node_modules/.bin/tsc'), ['-p', at('tsconfig.json'), ...options], { stdio: 'inherit' });

rmSync(at('dist'), { recursive: true, force: true });
compile();
// What the rules' comments explain to who maintains them is a third of the package.
compile('--removeComments', '--outDir', at('dist/bare'));
rmSync(at('dist/types/src'), { recursive: true });
renameSync(at('dist/bare/src'), at('dist/types/src'));
rmSync(at('dist/bare'), { recursive: true });
await build({
  entryPoints: ['index', 'rules', 'cli/main'].map((name) => at(`src/${name}.ts`)),
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
