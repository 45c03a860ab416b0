import { join } from 'node:path';

import { PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';
import { isInstalled } from '../support/installed.ts';

const HERE = import.meta.dirname;
export const GOLDEN_FOLDER = join(HERE, '../../rules/golden');

/** A program that reproduces the golden vectors with a client's rules. */
interface GoldenDriver {
  readonly language: string;
  readonly command: readonly string[];
  readonly modules: string;
}

/** With the JavaScript rules of a module, and the Python ones of a folder of modules. */
export function goldenDrivers(javascript: string, python: string): readonly GoldenDriver[] {
  const drivers = join(HERE, 'drivers');
  return [
    { language: 'JavaScript', command: [process.execPath, join(drivers, 'golden.mjs'), javascript], modules: '' },
    { language: 'Python', command: ['python3', join(drivers, 'golden.py')], modules: python },
  ];
}

/** From the clients' sources, those that run here. */
export const GOLDEN = goldenDrivers(join(HERE, '../../clients/js/src/rules.ts'), PYTHON_SOURCES).filter(
  ({ language }) => language !== 'Python' || process.env['CI'] === 'true' || isInstalled('python3'),
);

/** How many lines of each file and version come out the same, the digests that the client has, and what does not come out the same. */
export async function reproduced({ command, modules }: GoldenDriver) {
  const env = { PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1' };
  const { code, stdout, stderr } = await run([...command, GOLDEN_FOLDER], { env });
  if (code !== 0) throw new Error(stderr);
  const { same, digests } = JSON.parse(stdout);
  return { same, digests, stderr };
}
