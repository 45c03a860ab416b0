// node bin/run.js <program> [words]: as `node <program> [words]`, with a sentence in place of a trace where it cannot run here.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { onRightNode } from './checked-node.js';

process.argv.splice(1, 2, resolve(process.argv[2]));

onRightNode(() => import(pathToFileURL(process.argv[1]).href));
