import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

import { build, type Metafile, stop } from 'esbuild';

import type { PageName } from '../../dashboard/addresses.ts';
import type { Drawn } from '../../dashboard/document.ts';
import { compressed, type Encoding } from './compression.ts';

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../dashboard/${name}`, import.meta.url));
/** What most pages need, as one file: as it comes each of them would be a file of its own for each set of pages. */
const MOST_PAGES = sourceOf('most-pages.ts');
/** What a page shows a moment later than the rest of it, whose code is fetched behind all else. */
const LATER: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  now: ['charts/hour.tsx', 'parts/below-hour.tsx'],
  round: ['charts/hour.tsx', 'parts/evidence.tsx'],
  forecast: ['parts/forecast-charts.tsx'],
  agent: ['parts/agent-detail.tsx'],
  join: ['parts/mine.tsx'],
  me: ['parts/mine.tsx'],
  embedRound: ['charts/hour.tsx'],
};
/** Where the files are served; what is under it never changes. */
export const FILES_PATH = '/page/';

/** One file of the page, in each encoding that browsers take. */
export interface PageFile {
  readonly type: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** By their names. */
interface PageScripts {
  /** Those without which it is not shown, the entry first. */
  readonly first: readonly string[];
  /** Those of what it shows a moment later. */
  readonly later: readonly string[];
}

/** The page's JavaScript and style. */
export interface Bundle {
  /** By their names, which are hashes of what they hold. */
  readonly files: ReadonlyMap<string, PageFile>;
  readonly style: string;
  /** The scripts of a page; null is the one that says that there is none. */
  scriptsOf(page: PageName | null): PageScripts;
  /** The page as HTML, made of its first answers by the parts that its scripts are made of. */
  readonly draw: (drawn: Drawn) => Promise<string>;
  /** What stands above the documents, of the same parts. */
  readonly drawTop: () => string;
}

type Drawing = Pick<Bundle, 'draw' | 'drawTop'>;

const OPTIONS = {
  bundle: true,
  write: false,
  target: 'es2022',
  // Elements as plain calls, which are a sixtieth smaller than those that the types are checked by.
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  tsconfigRaw: {},
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/**
 * Bundles the page from its source, in memory: there is no build step, and nothing that may be out of date.
 * esbuild's process is ended, since it would hold memory while it waits.
 */
export async function bundlePage(): Promise<Bundle> {
  const [scripts, drawing] = await Promise.all([bundleScripts(), bundleDrawing()]);
  await stop();
  return { ...scripts, ...drawing };
}

async function bundleScripts(): Promise<Omit<Bundle, keyof Drawing>> {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: ['main.tsx', 'style.css'].map(sourceOf),
    inject: [MOST_PAGES],
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    outdir: '/',
    entryNames: '[name]-[hash]',
    // Each script says these names of those that it imports: with what they are made of they would be a hundredth longer.
    chunkNames: '[hash]',
    assetNames: '[name]-[hash]',
  });
  const files = new Map<string, PageFile>();
  for (const { path, contents } of outputFiles) files.set(nameOf(path), await pageFile(path, Buffer.from(contents)));
  const style = [...files.keys()].find((name) => name.endsWith('.css')) ?? '';
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
  return { files, style, scriptsOf };
}

/** A page's code is in the file of its name: `pages/embed-round.tsx`. */
function sourceOfPage(page: PageName): string {
  return `pages/${page.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`;
}

/** Node runs no TSX, so what draws the page here is bundled too. */
async function bundleDrawing(): Promise<Drawing> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [sourceOf('drawn.tsx')],
    inject: [MOST_PAGES],
    format: 'iife',
    globalName: 'page',
  });
  const [script] = outputFiles;
  return runInThisContext(`(() => {${script?.text} return { draw: page.drawn, drawTop: page.drawnTop }; })()`, {
    filename: 'dashboard/drawn.js',
  });
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, '');
}

function outputNameOf({ outputs }: Metafile, source: string): string {
  const found = Object.entries(outputs).find(
    ([path, { entryPoint = '' }]) => path.endsWith('.js') && entryPoint.endsWith(`dashboard/${source}`),
  );
  if (found === undefined) throw new Error(`The bundle lacks the script of ${source}, which a page starts with`);
  return nameOf(found[0]);
}

/** The scripts that one imports at its start, and those that these import. */
function importedBy({ outputs }: Metafile, name: string): string[] {
  const [, output] = Object.entries(outputs).find(([path]) => nameOf(path) === name) ?? [];
  const names = (output?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => nameOf(path));
  return names.flatMap((one) => [one, ...importedBy({ inputs: {}, outputs }, one)]);
}

/** The best: made once for each start, and a fifteenth smaller than what an eightieth of its time gives. */
const BROTLI_QUALITY = 11;

async function pageFile(path: string, body: Buffer): Promise<PageFile> {
  const type = path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  const of = (encoding: Encoding): Promise<Buffer> => compressed(body, encoding, BROTLI_QUALITY);
  return { type, bodies: { br: await of('br'), gzip: await of('gzip'), identity: body } };
}
