import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import packageFile from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const { version } = packageFile;

/** Both packages, built from a copy of their sources and installed in empty folders. */
export interface Packages extends AsyncDisposable {
  readonly tarball: string;
  readonly wheel: string;
  /** Where the tarball is installed. */
  readonly javascript: string;
  /** Where the wheel is installed, and the folder beside it to work in. */
  readonly python: string;
  readonly pythonModules: string;
}

/** Nothing comes from a registry. */
export async function installPackages(): Promise<Packages> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-packages-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['clients', 'src', 'tsconfig.json', 'package.json', 'LICENSE']) {
    cpSync(join(ROOT, name), at(`sources/${name}`), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), at('sources/node_modules'));
  for (const name of ['javascript', 'python']) await mkdir(at(name));
  const pip = ['python3', '-m', 'pip', '--disable-pip-version-check'];

  inFolder(at('sources/clients/js'), ['npm', 'pack', '--pack-destination', folder]);
  const tarball = at(`hourcast-client-${version}.tgz`);
  inFolder(at('javascript'), ['npm', 'install', '--offline', '--no-audit', '--no-fund', tarball]);
  inFolder(folder, [...pip, 'wheel', '--no-index', '--no-deps', at('sources/clients/python')]);
  const wheel = at(`hourcast-${version}-py3-none-any.whl`);
  inFolder(folder, [...pip, 'install', '--no-index', '--no-deps', '--target', at('modules'), wheel]);
  return {
    tarball,
    wheel,
    javascript: at('javascript'),
    python: at('python'),
    pythonModules: at('modules'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function inFolder(cwd: string, [program = '', ...parameters]: readonly string[]): void {
  execFileSync(program, parameters, { cwd, stdio: 'pipe' });
}
