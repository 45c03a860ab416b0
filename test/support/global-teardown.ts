import './global-setup.ts';

/** Runs after all test files. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.testCluster?.[Symbol.asyncDispose]();
}
