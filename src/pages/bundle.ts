import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

import { build, type Metafile, stop } from 'esbuild';

import type { Drawn } from '../../dashboard/document.ts';
import { compressed, type Encoding } from './compression.ts';

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../dashboard/${name}`, import.meta.url));
/** What is fetched beside the entry: for the first page its diagrams and its board, for all others their code. */
const FIRST_PAGE = ['dashboard/charts/hour.tsx', 'dashboard/parts/now-board.tsx', 'dashboard/parts/arena-record.tsx'];
const OTHER_PAGES = ['dashboard/pages/others.ts'];
/** Where the files are served; what is under it never changes. */
export const FILES_PATH = '/page/';

/** One file of the page, in each encoding that browsers take. */
export interface PageFile {
  readonly type: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** The page's JavaScript and style. */
export interface Bundle {
  /** By their names, which are hashes of what they hold. */
  readonly files: ReadonlyMap<string, PageFile>;
  readonly entry: string;
  readonly style: string;
  /** The scripts without which nothing is shown: the entry, and what it imports. */
  readonly initial: readonly string[];
  /** The scripts that showing this page needs beside the entry, so that they can be fetched with it. */
  scriptsOf(page: string): readonly string[];
  /** The page as HTML, made of its first answers by the parts that its scripts are made of. */
  readonly draw: (drawn: Drawn) => string;
}

const OPTIONS = {
  bundle: true,
  write: false,
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/**
 * Bundles the page from its source, in memory: there is no build step, and nothing that may be out of date.
 * esbuild's process is ended, since it would hold memory while it waits.
 */
export async function bundlePage(): Promise<Bundle> {
  const [scripts, draw] = await Promise.all([bundleScripts(), bundleDrawing()]);
  await stop();
  return { ...scripts, draw };
}

async function bundleScripts(): Promise<Omit<Bundle, 'draw'>> {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: ['main.tsx', 'style.css'].map(sourceOf),
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    outdir: '/',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
  });
  const files = new Map<string, PageFile>();
  for (const { path, contents } of outputFiles) files.set(nameOf(path), await pageFile(path, Buffer.from(contents)));
  const entry = outputNameOf(metafile, (name) => name.endsWith('dashboard/main.tsx'));
  const style = [...files.keys()].find((name) => name.endsWith('.css')) ?? '';
  const scriptsOf = (page: string): string[] => {
    const chunks = (page === 'now' ? FIRST_PAGE : OTHER_PAGES).map((file) =>
      outputNameOf(metafile, (name) => name.endsWith(file)),
    );
    return [...new Set([entry, ...chunks].flatMap((one) => [one, ...importedBy(metafile, one)]))].slice(1);
  };
  return { files, entry, style, initial: [entry, ...new Set(importedBy(metafile, entry))], scriptsOf };
}

/** Node runs no TSX, so what draws the page here is bundled too. */
async function bundleDrawing(): Promise<Bundle['draw']> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [sourceOf('drawn.tsx')],
    format: 'iife',
    globalName: 'page',
  });
  const [script] = outputFiles;
  return runInThisContext(`(() => {${script?.text} return page.drawn; })()`, { filename: 'dashboard/drawn.js' });
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, '');
}

function outputNameOf({ outputs }: Metafile, isEntry: (name: string) => boolean): string {
  const found = Object.entries(outputs).find(
    ([path, { entryPoint = '' }]) => path.endsWith('.js') && isEntry(entryPoint),
  );
  if (found === undefined) throw new Error('The bundle lacks a script that the page starts with');
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
