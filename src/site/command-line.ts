import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { temporaryConfig, withService } from '../app/temporary-service.ts';
import { realNow, steadyMs } from '../clock.ts';
import { packageVersion, type Variables, withExitCodes } from '../command-line.ts';
import { codeOf } from '../database/failures.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { copyService } from './crawl.ts';

const HELP = `npx hourcast site FOLDER [--from URL] [--service URL] [--base URL]
  Writes board, rounds, agents, forecast and documents as files that open without a server, and their data beside them.
  FOLDER is new, empty, or an earlier site, which is replaced at the end.
  --from     copies the service there, within its limits; default: the database of the settings, also beside its service
  --service  links to pages that a site cannot have, such as forms, lead to this service; default: no links
  --base     the public address of the site, for previews
`;
const OPTIONS = {
  from: { type: 'string' },
  service: { type: 'string' },
  base: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A folder with it may be replaced. */
const MARKER = 'hourcast-site.json';

/** Exit codes: 0 written, 1 refused, 2 wrong usage. */
export const siteCommand = withExitCodes(async (words: readonly string[], variables: Variables) => {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  if (values.help === true) return { code: 0, stdout: HELP };
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return { code: 2, stderr: HELP };
  const service = addressOf('--service', values.service);
  const base = addressOf('--base', values.base);
  const from = addressOf('--from', values.from);
  const out = resolve(folder);
  await checkReplaceable(out);
  const since = steadyMs();
  const copy = (url: string): Promise<number> =>
    replace(out, (place) => copyService(place, realNow(), { from: url, service, base }));
  const files = await (from === undefined
    ? withService({ ...temporaryConfig(variables), role: 'api' }, copy)
    : copy(from));
  const seconds = ((steadyMs() - since) / SECOND).toFixed(1);
  return { code: 0, stdout: `Wrote ${files} files in ${seconds} s; open ${join(out, 'index.html')}\n` };
});

/** Without a slash at the end. */
function addressOf(option: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new StartError(`${option} must be an address such as https://arena.example (got "${given}").`);
  return url.href.replace(/\/$/, '');
}

async function checkReplaceable(out: string): Promise<void> {
  const names: readonly string[] = await readdir(out).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw new StartError(`FOLDER must be a folder (got ${out}).`, { cause });
  });
  if (names.length > 0 && !names.includes(MARKER))
    throw new StartError(`FOLDER must be new, empty or an earlier site with ${MARKER} (got ${out}).`);
}

/** Writes beside the folder and renames, so that readers see the former site or the whole new one. */
async function replace(out: string, write: (folder: string) => Promise<number>): Promise<number> {
  const place = await mkdtemp(`${out}-new-`).catch((cause: unknown) => {
    throw new StartError(`FOLDER must be in a folder that can be written (got ${out}).`, { cause });
  });
  try {
    const files = await write(join(place, 'site'));
    await writeFile(join(place, 'site', MARKER), `${JSON.stringify({ version: packageVersion(), files })}\n`);
    await rename(out, join(place, 'former')).catch(() => {});
    await rename(join(place, 'site'), out);
    return files;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
