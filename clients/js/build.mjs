// Makes dist/, what is published, of src/: Node runs no TypeScript in packages. The compiler is the repository's.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(at('../../node_modules/.bin/tsc'), ['-p', at('tsconfig.json')], { stdio: 'inherit' });
chmodSync(at('dist/cli/main.js'), 0o755);
copyFileSync(at('../../LICENSE'), at('LICENSE'));
