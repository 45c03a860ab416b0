#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read as well, since its first task is to tell them off.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
/** Not --env-file, which Node itself looks for among all arguments: it complains of a file that is not there. */
const ENV_FILE = /^--settings-file=(.+)$/;
const WITH_NODE_IN_THE_LOCK_FILE = ['linux-x64', 'linux-arm64'];

const version = process.versions.node;

if (Number.parseInt(version, 10) < NEEDED) {
  process.stderr.write(`Hourcast runs on Node ${NEEDED} or newer, and this is Node ${version}. ${cure()}\n`);
  process.exitCode = 1;
} else {
  readEnvFile();
  nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
  await import('../src/main.ts');
}

/** Variables that are set already stay as they are. A command is given the settings that `npm start` is. */
function readEnvFile() {
  const word = process.argv[2] ?? '-';
  const [, file] = ENV_FILE.exec(word) ?? [];
  if (file !== undefined) process.argv.splice(2, 1);
  const read = word.startsWith('-') ? file : '.env';
  if (read !== undefined && existsSync(read)) process.loadEnvFile(read);
}

function cure() {
  return WITH_NODE_IN_THE_LOCK_FILE.includes(`${process.platform}-${process.arch}`)
    ? '`npm ci`, without --omit=optional, installs the right one beside the other packages; `npm start` then uses it.'
    : `Install Node ${NEEDED} or newer from https://nodejs.org, then run \`npm ci\` and \`npm start\` again.`;
}
