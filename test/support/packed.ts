import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import packageFile from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = [
  'bin',
  'src',
  'scripts',
  'dashboard',
  'clients/js/src',
  'tsconfig.json',
  'docs',
  'schema.graphql',
  'package.json',
  'README.md',
  'LICENSE',
];

/** The tarball of `npm pack`, from a copy of the sources: suites that pack at once do not share `dist`. */
export function packService(folder: string): string {
  const clone = join(folder, 'clone');
  for (const name of SOURCES) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  npm(clone, ['pack', '--pack-destination', folder]);
  return join(folder, `hourcast-${packageFile.version}.tgz`);
}

/** Installs packages in a new folder as their users do; what npm has cached comes from no registry. */
export async function installIn(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder);
  npm(folder, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
}

function npm(cwd: string, parameters: readonly string[]): void {
  // npm itself runs on the Node of this process, beside which scripts find it.
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  execFileSync('npm', parameters, { cwd, stdio: 'pipe', env: { ...process.env, PATH: path } });
}
