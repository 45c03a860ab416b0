import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';

import { type Instruction, stagesOf } from './dockerfile.ts';
import { ROOT } from './shell.ts';

/* The root file system that the Dockerfile describes, made without a container engine: Debian's packages, this Node. */

const DEBIAN = 'bookworm';
const PACKAGES = 'ca-certificates,libatomic1';
const BASE = 'node:24-slim';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const BASE_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
}

/** Executes every instruction of the Dockerfile in `folder`; an unknown one throws. */
export function buildImage(folder: string): Image {
  const base = join(folder, 'base');
  makeBase(base);
  const built = new Map<string, Image>();
  for (const { name, base: from, instructions } of stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))) {
    if (from !== BASE) throw new Error(`Each stage must begin with FROM ${BASE} (got ${from})`);
    const root = join(folder, `stage-${built.size}`);
    execFileSync('cp', ['-a', '--reflink=auto', base, root]);
    const empty: Image = { root, env: BASE_ENV, workdir: '/', user: 'root', entrypoint: [], healthcheck: [] };
    built.set(
      name,
      instructions.reduce((image, instruction) => execute(image, instruction, built), empty),
    );
  }
  const last = [...built.values()].at(-1);
  if (last === undefined) throw new Error('The Dockerfile must have a stage');
  return last;
}

/** As the image `node` has it: Node and npm in /usr/local, an account `node` with the number 1000. */
function makeBase(root: string): void {
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES}`, DEBIAN, root], { stdio: 'pipe' });
  const globals = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  const local = join(root, 'usr/local');
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(join(globals, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  execFileSync('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
}

function execute(image: Image, { word, rest }: Instruction, stages: ReadonlyMap<string, Image>): Image {
  const inside = (path: string): string => join(image.root, resolve(image.workdir, path));
  switch (word) {
    case 'WORKDIR':
      mkdirSync(join(image.root, rest), { recursive: true });
      return { ...image, workdir: rest };
    case 'ENV':
      return { ...image, env: { ...image.env, ...Object.fromEntries(rest.split(' ').map(nameAndValue)) } };
    case 'COPY': {
      const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      if (stage === undefined) copyContext(from, inside(to));
      else execFileSync('cp', ['-a', `${stages.get(stage)?.root}${from}/.`, inside(to)]);
      return image;
    }
    case 'RUN':
      runAtBuild(image, rest);
      return image;
    case 'USER':
      return { ...image, user: rest };
    case 'ENTRYPOINT':
      return { ...image, entrypoint: JSON.parse(rest) };
    case 'HEALTHCHECK':
      return { ...image, healthcheck: JSON.parse(rest.slice(rest.indexOf('['))) };
    case 'EXPOSE':
      return image;
    default:
      throw new Error(`The suite must execute each instruction of the Dockerfile (got ${word})`);
  }
}

const nameAndValue = (text: string): readonly string[] => text.split('=', 2);

function copyContext(from: string, to: string): void {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const isSent = (path: string): boolean =>
    !ignored.some((pattern) => matchesGlob(relative(ROOT, path), pattern.replace(/^\//, '')));
  for (const path of globSync(from === '.' ? '{*,.*}' : from, { cwd: ROOT })) {
    if (!isSent(join(ROOT, path))) continue;
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, path), target, { recursive: true, filter: isSent, verbatimSymlinks: true });
  }
}

/** With this machine's network, certificates and npm cache. */
function runAtBuild({ root, env, workdir }: Image, command: string): void {
  const own = { HOME: '/root', NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_registry: npmSetting('registry') };
  const binds = [CERTIFICATES, '/etc/resolv.conf', '/etc/hosts'].map((path) => [path, path]);
  const mounts = [...binds, [npmSetting('cache'), '/root/.npm']].map(([from = '', to = '']) => {
    if (to.endsWith('.npm')) mkdirSync(join(root, to), { recursive: true });
    return `touch '${root}${to}'; mount --bind '${from}' '${root}${to}'`;
  });
  const script = `${mounts.join('; ')}; exec chroot "$0" env -i "$@"`;
  const inRoot = ['sh', '-euc', `cd '${workdir}'; ${command}`];
  const variables = Object.entries({ ...env, ...own }).map(([name, value]) => `${name}=${value}`);
  execFileSync('unshare', ['--mount', 'sh', '-euc', script, root, ...variables, ...inRoot], { stdio: 'pipe' });
}

function npmSetting(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
}
