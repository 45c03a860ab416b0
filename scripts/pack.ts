import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { buildPage } from '../src/pages/built-page.ts';

/*
 * Makes dist/, the published programs: Node runs no TypeScript in packages. The folder has the clone's layout, so that
 * files find one another by the same addresses. Packages that only the build needs are built in.
 */

const ROOT = join(import.meta.dirname, '..');
const OUT = 'dist';
const ENTRIES = ['src/main.ts', 'scripts/sandbox.ts', 'scripts/demo.ts', 'scripts/pack/older-node.ts'];
/** Files that the programs read; {@link ENTRIES} do not import them. */
const READ = ['schema.graphql', 'dashboard/style.css', 'README.md', 'docs/*.md', 'src/**/*.{json,css,js}'];
/** The IDE serves its own files, which are copied; another package becomes a part of the files that import it. */
const IDE = 'altair-static';
const IDE_FILES = ['build', 'LICENSE'];
const INSIDE = /^highlight\.js\//;

const SETTINGS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: OUT,
  outbase: '.',
  logLevel: 'warning',
  legalComments: 'inline',
} as const satisfies BuildOptions;

rmSync(join(ROOT, OUT), { recursive: true, force: true });
const page = JSON.stringify(await buildPage());
const { metafile } = await build({
  ...SETTINGS,
  entryPoints: ENTRIES,
  packages: 'external',
  write: false,
  metafile: true,
});
await build({ ...SETTINGS, entryPoints: Object.keys(metafile.inputs), plugins: [{ name: 'pack', setup: onePerFile }] });
for (const file of READ.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))) copy(file, file);
for (const file of IDE_FILES) copy(`node_modules/${IDE}/${file}`, `${IDE}/${file}`);
copy('node_modules/highlight.js/LICENSE', 'src/pages/guides/highlight.js-LICENSE');
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
write('package.json', JSON.stringify({ name, version, type: 'module' }));
write(`${IDE}/package.json`, JSON.stringify({ type: 'commonjs' }));
write('bin/hourcast.js', "import '../../bin/hourcast.js';\n");

/** One file for each module, so that `import.meta` has the same surroundings. */
function onePerFile(packing: Parameters<Plugin['setup']>[0]): void {
  packing.onResolve({ filter: /./ }, ({ path, kind, importer }) => {
    if (kind === 'entry-point' || INSIDE.test(path) || importer.includes('node_modules')) return undefined;
    if (path !== IDE) return { path: path.replace(/^(\..*)\.ts$/, '$1.js'), external: true };
    const ide = relative(dirname(importer), join(ROOT, IDE, 'build/index.js'));
    return { path: ide, external: true };
  });
  packing.onLoad({ filter: /built-page\.ts$/ }, () => ({
    contents: `export const buildPage = async () => (${page});`,
  }));
}

function copy(from: string, to: string): void {
  cpSync(join(ROOT, from), join(ROOT, OUT, to), { recursive: true });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, OUT, file)), { recursive: true });
  writeFileSync(join(ROOT, OUT, file), text);
}
