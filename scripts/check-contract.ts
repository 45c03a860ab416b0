import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { contractFiles, contractOf, judgeContract, releasedContract } from './release/contract/contract.ts';
import { printVerdict } from './verdict.ts';

const ROOT = join(import.meta.dirname, '..');
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');

printVerdict(judgeContract(releasedContract(ROOT), contractOf(contractFiles()), changelog));
