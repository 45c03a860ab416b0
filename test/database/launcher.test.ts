import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../../bin/hourcast.js');

/** The launcher under this Node, which is made to call itself another version on another system. */
function launch(version: string, system: { platform: string; arch: string }) {
  const properties = { versions: { ...process.versions, node: version }, ...system };
  const disguise = Object.entries(properties)
    .map(([name, value]) => `Object.defineProperty(process,'${name}',{value:${JSON.stringify(value)}});`)
    .join('');
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`];
  return spawnSync(process.execPath, [...flags, LAUNCHER], { encoding: 'utf8' });
}

describe('the launcher under an old Node', () => {
  test('points to the Node that npm ci installs', () => {
    const { status, stdout, stderr } = launch('20.20.2', { platform: 'linux', arch: 'x64' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      'Hourcast runs on Node 24 or newer, and this is Node 20.20.2. ' +
        '`npm ci`, without --omit=optional, installs the right one beside the other packages; `npm start` then uses it.\n',
    );
  });

  test('asks for a new Node where npm has none to install', () => {
    const { status, stderr } = launch('22.1.0', { platform: 'darwin', arch: 'arm64' });
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Hourcast runs on Node 24 or newer, and this is Node 22.1.0. ' +
        'Install Node 24 or newer from https://nodejs.org, then run `npm ci` and `npm start` again.\n',
    );
  });
});
