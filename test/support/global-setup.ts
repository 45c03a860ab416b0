import { startTestCluster, type TestCluster } from './cluster.ts';
import { PREPARED_VARIABLE } from './data-folder.ts';
import { TEMPLATE_VARIABLE } from './database.ts';

/** Jest runs setup and teardown in one process; they share this. */
declare global {
  var testCluster: TestCluster | undefined;
}

/** Runs before all test files; the workers inherit the variables. */
export default async function globalSetup(): Promise<void> {
  globalThis.testCluster = await startTestCluster();
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(globalThis.testCluster.template);
  process.env[PREPARED_VARIABLE] = globalThis.testCluster.prepared;
}
