import { startTestCluster } from './cluster.ts';

/** Jest runs setup and teardown in one process; they share this. */
declare global {
  var testCluster: AsyncDisposable | undefined;
}

/** Runs before all test files; the workers inherit the variables. */
export default async function globalSetup(): Promise<void> {
  globalThis.testCluster = await startTestCluster();
}
