import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Jest's `testRunner`: jest-circus with suites that Node loads itself, as `npm start` does. Jest reads, transforms and links
 * every module for each suite, about a second of processor time; here a worker loads a module once. The price: suites of a worker
 * share module state (the code caches only what never changes, such as the page’s bundle), and modules cannot be mocked. Timeouts,
 * hooks, filters and reports are Jest's own.
 */

/** The exports of `@jest/globals` in this worker, for the current suite. */
export let afterAll: unknown, afterEach: unknown, beforeAll: unknown, beforeEach: unknown;
export let describe: unknown, expect: unknown, test: unknown;

type Runner = (
  ...needs: [global: object, project: object, environment: object, runtime: object, ...rest: unknown[]]
) => Promise<unknown>;

/** jest-circus's name for the listeners of one suite. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

const require = createRequire(import.meta.url);
const { default: runWithCircus }: { default: Runner } = require('jest-circus/runner');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

export default function runSuite(
  ...[global, project, environment, runtime, ...rest]: Parameters<Runner>
): Promise<unknown> {
  const native: object = Object.assign(Object.create(runtime), {
    requireInternalModule(path: string) {
      Reflect.deleteProperty(globalThis, LISTENERS);
      delete require.cache[path];
      return require(path);
    },
    setGlobalsForRuntime(globals: Readonly<Record<string, unknown>>) {
      ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globals);
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href),
  });
  return runWithCircus(global, project, environment, native, ...rest);
}
