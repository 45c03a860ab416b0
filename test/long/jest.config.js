import { longRun } from '../../jest.config.js';

const rootDir = new URL('../..', import.meta.url).pathname;

export default { ...longRun, rootDir, projects: longRun.projects.map((project) => ({ ...project, rootDir })) };
