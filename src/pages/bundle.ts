import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

import { build, type Metafile, stop } from 'esbuild';

import type { PageName } from '../../dashboard/addresses.ts';
import type { Drawn } from '../../dashboard/document.ts';
import { compressed, type Encoding } from '../http/compression.ts';

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../dashboard/${name}`, import.meta.url));
/** Shared modules of most pages in one file: otherwise esbuild makes a file for each set of pages. */
const MOST_PAGES = sourceOf('most-pages.ts');
const LATER: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  now: ['charts/hour.tsx', 'parts/below-hour.tsx'],
  round: ['charts/hour.tsx', 'parts/evidence.tsx'],
  forecast: ['parts/forecast-charts.tsx'],
  agent: ['parts/agent-detail.tsx'],
  boards: ['parts/followed-list.tsx'],
  join: ['parts/mine.tsx'],
  me: ['parts/mine.tsx'],
  embedRound: ['charts/hour.tsx'],
};
export const FILES_PATH = '/page/';

export interface PageFile {
  readonly type: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

interface PageScripts {
  /** Needed for the first paint, the entry first. */
  readonly first: readonly string[];
  readonly later: readonly string[];
}

export interface Bundle {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly style: string;
  /** Null: the page for unknown addresses. */
  scriptsOf(page: PageName | null): PageScripts;
  readonly draw: (drawn: Drawn) => Promise<string>;
  readonly drawTop: () => string;
}

type Drawing = Pick<Bundle, 'draw' | 'drawTop'>;

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

/** Bundles in memory: there is no build step, and nothing that can be outdated. esbuild's process is ended to free its memory. */
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
    // Importing scripts repeat these names, so they are short.
    chunkNames: '[hash]',
    assetNames: '[name]-[hash]',
  });
  const files = new Map<string, PageFile>();
  for (const { path, text } of outputFiles)
    files.set(nameOf(path), await pageFile(path, Buffer.from(text.replaceAll(LONG_NAME, '$1.js'))));
  if (files.size < outputFiles.length) throw new Error('Two scripts of the page have names that begin alike');
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

function sourceOfPage(page: PageName): string {
  return `pages/${page.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`;
}

/** Node runs no TSX, so the renderer is bundled too. */
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
  if (found === undefined) throw new Error(`The bundle must have the script of ${source}, with which a page starts`);
  return nameOf(found[0]);
}

function importedBy({ outputs }: Metafile, name: string): string[] {
  const [, output] = Object.entries(outputs).find(([path]) => nameOf(path) === name) ?? [];
  const names = (output?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => nameOf(path));
  return names.flatMap((one) => [one, ...importedBy({ inputs: {}, outputs }, one)]);
}

const BROTLI_QUALITY = 11;

async function pageFile(path: string, body: Buffer): Promise<PageFile> {
  const type = path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  const of = (encoding: Encoding): Promise<Buffer> => compressed(body, encoding, BROTLI_QUALITY);
  return { type, bodies: { br: await of('br'), gzip: await of('gzip'), identity: body } };
}
