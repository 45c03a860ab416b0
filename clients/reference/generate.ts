import { writeFileSync } from 'node:fs';

import { generatedFiles } from './generated-files.ts';

/* Writes the files of the clients that follow from the service's reference. */
for (const { url, text } of generatedFiles()) writeFileSync(url, text);
