import { compare, type Side } from '../compare.ts';
import { post, type Target, turnOf } from '../load.ts';
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
    const [ours, theirs] = [asking(service, name, query), asking(apollo, name, query)];
    const pairs = [...(await compare(theirs, [ours], options)).values()].flat();
    lines.push({ what: `\`${name}\``, pairs });
  }
  return ratioTable('Apollo Server 5 on Express 5', lines);
};

function asking(target: Target, name: string, query: string): Side {
  const texts = [post('/graphql', { query })];
  return { name, turn: (span) => turnOf(target, { requests: { kind: 'these', texts } }, span) };
}
