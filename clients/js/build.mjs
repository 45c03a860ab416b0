// Makes dist/, the published files, from src/ and the service's rules and replay: Node runs no TypeScript in packages. tsc checks
// and writes the types, esbuild the programs.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { build } = await import('esbuild').catch(() => {
  process.stderr.write('The packages of the repository must be installed: run `npm ci` in its root folder.\n');
  process.exit(1);
});

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(at('../../node_modules/.bin/tsc'), ['-p', at('tsconfig.json')], { stdio: 'inherit' });

const ENTRIES = ['index', 'rules', 'backtest'].map((name) => at(`dist/types/clients/js/src/${name}.d.ts`));
const REFERENCE = at('dist/types/clients/js/src/reference.d.ts');
const METHODS = 'export interface Endpoints';
const COMMENT = /^\s*\/\*\*[\s\S]*?\*\/\n/gm;
const IMPORT = /^import (type )?\{([^}]*)\} from (.+)\n/gm;
/** A declaration with its comment, up to the next one. */
const DECLARATION =
  /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^(?:export )?(?:declare )?(function|const|interface|type) (\w+)[\s\S]*?\n(?=export|import|interface|type|declare|\/\*\*|(?![\s\S]))/gm;

/** Types by file. Descriptions of rules and reference fields are on the service's own pages. */
const types = new Map(
  globSync(at('dist/types/**/*.d.ts')).map((file) => {
    const [fields = '', ...methods] = readFileSync(file, 'utf8').split(METHODS);
    const isBare = file === REFERENCE || /types\/src\//.test(file);
    return [file, [isBare ? fields.replaceAll(COMMENT, '') : fields, ...methods].join(METHODS)];
  }),
);

/** The files that the entries reach. */
function shownTypes() {
  const shown = new Set();
  const show = (file) => {
    if (shown.has(file)) return;
    shown.add(file);
    for (const [, path] of types.get(file).matchAll(/'(\..+)\.ts'/g)) show(join(dirname(file), `${path}.d.ts`));
  };
  ENTRIES.forEach(show);
  return [...shown];
}

/** Removes declarations that no other one names, repeatedly: nobody can import them. Returns whether there were any. */
function dropUnnamed() {
  const shown = shownTypes();
  const before = shown.map((file) => types.get(file)).join('');
  for (const file of shown) {
    const text = types.get(file);
    const isUsed = (name) => text.match(new RegExp(String.raw`\b${name}\b`, 'g')).length > 1;
    const kept = (names) => names.split(',').filter((name) => isUsed(name.trim().replace(/^type /, '')));
    types.set(
      file,
      text.replaceAll(IMPORT, (_line, type = '', names, path) => {
        const left = kept(names);
        return left.length === 0 ? '' : `import ${type}{${left.join(',')}} from ${path}\n`;
      }),
    );
  }
  const code = shown.map((file) => types.get(file).replaceAll(COMMENT, '')).join('');
  const listed = new Set([...code.matchAll(/^(?:import|export) (?:type )?\{[^}]*\}/gm)].join(' ').match(/\w+/g));
  // A type may also be named elsewhere in its file.
  const isNamed = (kind, name) =>
    listed.has(name) || (kind !== 'function' && code.match(new RegExp(String.raw`\b${name}\b`, 'g')).length > 1);
  for (const file of shown) {
    if (file === REFERENCE || ENTRIES.includes(file)) continue;
    const text = types.get(file);
    types.set(
      file,
      text.replaceAll(DECLARATION, (whole, kind, name) => (isNamed(kind, name) ? whole : '')),
    );
  }
  return shown.map((file) => types.get(file)).join('') !== before;
}
while (dropUnnamed());

const shown = shownTypes();
for (const [file, text] of types) {
  // Editors indent declarations themselves.
  if (shown.includes(file)) writeFileSync(file, text.replaceAll(/^ +/gm, ''));
  else rmSync(file);
}
await build({
  entryPoints: ['index', 'rules', 'backtest', 'cli/main'].map((name) => at(`src/${name}.ts`)),
  outdir: at('dist'),
  outbase: at('src'),
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[hash]',
  minify: true,
  // Node prints the line of an uncaught error.
  lineLimit: 120,
  format: 'esm',
  target: 'es2022',
  platform: 'node',
});
chmodSync(at('dist/cli/main.js'), 0o755);
cpSync(at('../scaffold'), at('dist/scaffold'), { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
copyFileSync(at('../../LICENSE'), at('LICENSE'));
cpSync(at('src/sample'), at('dist/sample'), { recursive: true, dereference: true });
