import { pairsOf, sideOf } from '../compare.ts';
import { post, these } from '../load.ts';
import { measuredService } from '../measured-service.ts';
import { startPeer } from '../peers.ts';
import { ratioTable } from '../results.ts';
import type { Row } from './row.ts';

const DOCUMENTS = [
  { name: 'currentRound', query: '{ currentRound { id question status } }' },
  { name: 'schedule', query: '{ schedule(hours: 3) { startTime questionType } }' },
] as const;

/** P5: a known document, beside Apollo Server by default with the same data in memory. */
export const knownDocuments: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await measuredService(options));
  const apollo = stack.use(await startPeer('apollo'));
  const lines = [];
  for (const { name, query } of DOCUMENTS) {
    const load = these([post('/graphql', { query })]);
    const [ours, theirs] = [sideOf(service, name, load), sideOf(apollo, name, load)];
    lines.push({ what: `\`${name}\``, pairs: await pairsOf(theirs, ours, options) });
  }
  return ratioTable('Apollo Server 5 on Express 5', lines);
};
