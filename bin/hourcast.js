#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read as well, as checked-node.js says.
import { executionAsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

import { onRightNode } from './checked-node.js';

/** Not --env-file, which Node itself looks for among all arguments: it complains of a file that is not there. */
const ENV_FILE = /^--settings-file=(.+)$/;
/** They start a service with settings of their own, whatever a settings file has. */
const OWN_SETTINGS = ['sandbox', 'demo'];

/** A clone runs its TypeScript, whatever was packed there; a package has none. */
const isClone = existsSync(new URL('../src/main.ts', import.meta.url));
const OLDEST_NODE_OF_PACKAGE = '20.19';

/**
 * One object of `process.nextTick`, kept alive: once a garbage collection finds none, V8 makes each later one by its slowest path.
 */
export const keptTicks = [];
process.nextTick(() => keptTicks.push(executionAsyncResource()));

onRightNode(
  () => {
    const word = process.argv[2] === undefined ? '-' : process.argv[2];
    const isOwn = OWN_SETTINGS.includes(word);
    if (!isOwn) readEnvFile(word);
    if (nodeModule.enableCompileCache !== undefined)
      nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
    const program = isOwn ? `scripts/${word}` : 'src/main';
    return isClone
      ? import(`../${program}.ts`)
      : import('../dist/scripts/pack/older-node.js').then(() => import(`../dist/${program}.js`));
  },
  isClone ? undefined : OLDEST_NODE_OF_PACKAGE,
);

/** Variables that are set already stay as they are. Commands read `.env` as `npm start` does. Only that file may be missing. */
function readEnvFile(word) {
  const named = ENV_FILE.exec(word);
  if (named !== null) process.argv.splice(2, 1);
  const file = named === null ? '.env' : named[1];
  if ((named === null && word.startsWith('-')) || (file === '.env' && !existsSync(file))) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    process.stderr.write(`The settings file ${file} must be a file that can be read: ${error.message}\n`);
    process.exit(1);
  }
}
