#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read as well, as checked-node.js says.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

import { onRightNode } from './checked-node.js';

/** Not --env-file, which Node itself looks for among all arguments: it complains of a file that is not there. */
const ENV_FILE = /^--settings-file=(.+)$/;

onRightNode(() => {
  readEnvFile();
  nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
  return import('../src/main.ts');
});

/** Variables that are set already stay as they are. A command is given the settings that `npm start` is. */
function readEnvFile() {
  const word = process.argv[2] === undefined ? '-' : process.argv[2];
  const named = ENV_FILE.exec(word);
  if (named !== null) process.argv.splice(2, 1);
  const file = named === null ? '.env' : named[1];
  if ((named !== null || !word.startsWith('-')) && existsSync(file)) process.loadEnvFile(file);
}
