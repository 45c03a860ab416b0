import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build, type Metafile, type Plugin, stop } from 'esbuild';

import { pageNames, type PageName } from '../../dashboard/addresses.ts';

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../dashboard/${name}`, import.meta.url));
/** Shared modules of most pages in one file: otherwise esbuild makes a file for each set of pages. */
const MOST_PAGES = sourceOf('most-pages.ts');
/** Modules in one file each line, which compresses better than a file for each set of pages. */
const TOGETHER: readonly (readonly string[])[] = [
  ['charts/frame.tsx', 'charts/line-chart.tsx', 'charts/reliability.tsx'],
  ['parts/agent-rounds.tsx', 'parts/estimate-table.tsx'],
  ['parts/copied.tsx', 'parts/form.tsx'],
  ['parts/embed-frame.tsx', 'parts/tables.tsx', 'parts/tabs.tsx', 'period-choice.ts'],
];
/** Modules that pages load after their first paint. */
const LATER: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  now: ['charts/hour.tsx', 'parts/below-hour.tsx'],
  round: ['charts/hour.tsx', 'parts/details.ts'],
  forecast: ['parts/details.ts'],
  agent: ['parts/details.ts'],
  boards: ['parts/followed-list.tsx'],
  join: ['parts/mine.tsx'],
  me: ['parts/mine.tsx'],
  embedRound: ['charts/hour.tsx'],
};

export interface PageScripts {
  /** Needed for the first paint, the entry first. */
  readonly first: readonly string[];
  readonly later: readonly string[];
}

/** Plain data, which a package keeps instead of this module. */
interface BuiltPage {
  /** Text by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly style: string;
  /** Null: the page for unknown addresses. */
  readonly scripts: readonly (readonly [page: PageName | null, PageScripts])[];
  /** A script that defines `page`, whose functions render HTML. */
  readonly drawing: string;
}

const OPTIONS = {
  bundle: true,
  write: false,
  target: 'es2022',
  // Plain calls are smaller than the automatic JSX runtime.
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  tsconfigRaw: {},
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/** Bundles in memory: a clone has no build step, and nothing that can be outdated. esbuild's process is ended to free its memory. */
export async function buildPage(): Promise<BuiltPage> {
  const [scripts, drawing] = await Promise.all([buildScripts(), buildDrawing()]);
  await stop();
  return { ...scripts, drawing };
}

async function buildScripts(): Promise<Omit<BuiltPage, 'drawing'>> {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: ['main.tsx', 'style.css'].map(sourceOf),
    inject: [MOST_PAGES],
    plugins: [together],
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    outdir: '/',
    entryNames: '[name]-[hash]',
    // Importing scripts repeat these names, so they are short.
    chunkNames: '[hash]',
    assetNames: '[name]-[hash]',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, text }) => [nameOf(path), text.replaceAll(LONG_NAME, '$1.js')]),
  );
  const names = Object.keys(files);
  if (names.length < outputFiles.length) throw new Error('Two scripts of the page have names that begin alike');
  const style = names.find((name) => name.endsWith('.css')) ?? '';
  const withImports = (source: string): string[] => {
    const name = outputNameOf(metafile, source);
    return [name, ...importedBy(metafile, name)];
  };
  const entry = withImports('main.tsx');
  const scriptsOf = (page: PageName | null): PageScripts => {
    const first = new Set([...entry, ...(page === null ? [] : withImports(sourceOfPage(page)))]);
    const later = new Set((page && LATER[page])?.flatMap(withImports).filter((name) => !first.has(name)));
    return { first: [...first], later: [...later] };
  };
  return { files, style, scripts: [null, ...pageNames()].map((page) => [page, scriptsOf(page)]) };
}

/** Each module imports its group, so the same pages need all of it, and esbuild makes one file. */
const together: Plugin = {
  name: 'together',
  setup(builder) {
    for (const names of TOGETHER) {
      const imports = names.map((name) => `\nimport ${JSON.stringify(sourceOf(name))};`).join('');
      const filter = new RegExp(`/dashboard/(?:${names.join('|')})$`);
      builder.onLoad({ filter }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')) + imports,
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }));
    }
  },
};

function sourceOfPage(page: PageName): string {
  return `pages/${page.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`;
}

/** Node runs no TSX, so the renderer is bundled too. */
async function buildDrawing(): Promise<string> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [sourceOf('drawn.tsx')],
    inject: [MOST_PAGES],
    format: 'iife',
    globalName: 'page',
  });
  return outputFiles[0]?.text ?? '';
}

/** Scripts repeat these names, which compress badly. */
const LONG_NAME = /\b([A-Z0-9]{5})[A-Z0-9]{3}\.js\b/g;

function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(LONG_NAME, '$1.js');
}

/** The file that begins with the source, or else the one that several pages share. */
function outputNameOf({ outputs }: Metafile, source: string): string {
  const scripts = Object.entries(outputs).filter(([path]) => path.endsWith('.js'));
  const isIt = (path: string): boolean => path.endsWith(`dashboard/${source}`);
  const found =
    scripts.find(([, { entryPoint = '' }]) => isIt(entryPoint)) ??
    scripts.find(([, { inputs }]) => Object.keys(inputs).some(isIt));
  if (found === undefined) throw new Error(`The bundle must have the script of ${source}`);
  return nameOf(found[0]);
}

function importedBy(metafile: Metafile, name: string): string[] {
  const [, output] = Object.entries(metafile.outputs).find(([path]) => nameOf(path) === name) ?? [];
  const names = (output?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => nameOf(path));
  return names.flatMap((one) => [one, ...importedBy(metafile, one)]);
}
