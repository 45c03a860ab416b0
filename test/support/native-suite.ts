import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Jest's `testRunner`: jest-circus, whose suites Node loads itself, stripping types as `npm start` does. Jest's own way
 * reads, strips and links every module anew for each suite, about a second of processor for the whole service; here a
 * worker loads a module once. What this costs: suites that share a worker share module state (the code keeps none that
 * outlives a service), and modules cannot be mocked. Time-outs, hooks, filters and reports are Jest's own.
 */

/** What `@jest/globals` exports to the suites of this worker: of whichever suite runs now. */
export let afterAll: unknown, afterEach: unknown, beforeAll: unknown, beforeEach: unknown;
export let describe: unknown, expect: unknown, test: unknown;

type Runner = (
  ...needs: [global: object, project: object, environment: object, runtime: object, ...rest: unknown[]]
) => Promise<unknown>;

/** Under this name jest-circus keeps the listeners of one suite. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

const require = createRequire(import.meta.url);
const { default: runWithCircus }: { default: Runner } = require('jest-circus/runner');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

/** Runs one suite. */
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
