import { join } from 'node:path';

import { longRun } from '../../jest.config.js';

const rootDir = join(import.meta.dirname, '../..');

export default { ...longRun, rootDir, projects: longRun.projects.map((project) => ({ ...project, rootDir })) };
