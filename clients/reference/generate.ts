import { writeFileSync } from 'node:fs';

import { generatedFiles } from './generated-files.ts';

/* Writes the clients' generated files. */
for (const { url, text } of generatedFiles()) writeFileSync(url, text);
