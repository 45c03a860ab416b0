import { runInThisContext } from 'node:vm';

import type { PageName } from '../../dashboard/addresses.ts';
import type { Drawn } from '../../dashboard/document.ts';
import { compressed, type Encoding, LEVELS } from '../http/compression.ts';
import { madeOnce } from '../in-flight.ts';
import { buildPage } from './built-page.ts';

export const FILES_PATH = '/page/';

export type PageFile = Awaited<ReturnType<typeof pageFile>>;

export type Bundle = Awaited<ReturnType<typeof bundlePage>>;

interface DrawFunctions {
  readonly draw: (drawn: Drawn) => Promise<string>;
  readonly drawTop: () => string;
}

export async function bundlePage() {
  const { files, style, scripts, drawing } = await buildPage();
  const compressing = Object.entries(files).map(async ([name, text]) => [name, await pageFile(name, text)] as const);
  const compressedFiles: ReadonlyMap<string, PageFile> = new Map(await Promise.all(compressing));
  const byPage = new Map(scripts);
  return {
    files: compressedFiles,
    style,
    /** Null: the page for unknown addresses. */
    scriptsOf: (page: PageName | null) => byPage.get(page) ?? { first: [], later: [] },
    ...drawingOf(drawing),
  };
}

/** Built at the first call, for all services of the process. */
export const bundleOnce = madeOnce(bundlePage);

function drawingOf(script: string): DrawFunctions {
  return runInThisContext(`(() => {${script} return { draw: page.drawn, drawTop: page.drawnTop }; })()`, {
    filename: 'dashboard/drawn.js',
  });
}

async function pageFile(name: string, text: string) {
  const body = Buffer.from(text);
  const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  const of = (encoding: Encoding): Promise<Buffer> => compressed(body, encoding, LEVELS.ahead);
  return { type, bodies: { br: await of('br'), gzip: await of('gzip'), identity: body } };
}
