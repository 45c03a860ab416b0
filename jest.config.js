import { LONG, PROCESS, UNIT } from './test/projects.ts';

const inRoot = (pattern) => `<rootDir>/${pattern}`;

/** Of every project: Node itself loads the suites and strips their types. */
const NATIVE = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/support/native-suite.ts',
  transform: {},
  injectGlobals: false,
};

const WITH_POSTGRES = {
  ...NATIVE,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const RUN = {
  // Only for what hangs: on a slow machine that does much else a suite takes many times as long as on an idle one.
  testTimeout: 600_000,
  // Likewise: a worker that keeps nothing open has half a second by default, and a busy machine takes longer to end a process.
  workerGracefulExitTimeout: 60_000,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  reporters: ['default', '<rootDir>/test/support/some-executed.ts'],
};

/** Of `npm run test:long`: three at a time, since the suites under faults wait more than they work. */
export const longRun = {
  ...RUN,
  testTimeout: 3 * RUN.testTimeout,
  maxWorkers: 3,
  projects: [{ ...WITH_POSTGRES, displayName: 'long', testMatch: LONG.map(inRoot) }],
};

export default {
  ...RUN,
  maxWorkers: 4,
  projects: [
    { ...NATIVE, displayName: 'unit', testMatch: UNIT.map(inRoot) },
    {
      ...WITH_POSTGRES,
      displayName: 'service',
      testMatch: [inRoot('test/**/*.test.ts'), ...[...UNIT, ...PROCESS, ...LONG].map((pattern) => `!**/${pattern}`)],
    },
    { ...WITH_POSTGRES, displayName: 'process', testMatch: PROCESS.map(inRoot) },
  ],
};
