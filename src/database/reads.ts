import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { DomainError } from '../rules/errors.ts';
import { isStopped } from './failures.ts';
import type { DatabasePools } from './pools.ts';
import { replicaProbes, type ReplicaState, type ReplicaWatch, watchReplica } from './replica-watch.ts';
import type { Statements } from './statements.ts';

/**
 * Runs `work` with a new entity manager, on the replica if that has everything this process has seen. If the replica
 * fails, `work` runs again on the primary, so it may only read.
 */
export type Read = <Result>(work: (em: SqlEntityManager) => Promise<Result>) => Promise<Result>;

export const ANSWERERS = ['replica', 'primary'] as const;

/** The replica's figures for operators. */
export interface ReplicaFigures {
  readonly state: ReplicaState;
  /** Reads so far, by server. */
  readonly reads: Readonly<Record<(typeof ANSWERERS)[number], number>>;
}

/** All reads of lists, nested rows and exports. */
export interface Reads {
  /** For callers' reads; a statement may run again on the primary. */
  readonly statements: Statements;
  readonly api: Read;
  readonly exports: Read;
  /** Probes the replica; null without one. */
  readonly look: () => Promise<ReplicaState | null>;
  /** As of the last probe. */
  readonly figures: () => ReplicaFigures | null;
}

interface ReadsDeps {
  /** The newest event seen by this process. */
  readonly seenSeq: () => number;
  /** Calls `listener` after each commit that this process makes or learns of. */
  readonly onCommit: (listener: () => void) => void;
  /** Logs a message for operators. */
  readonly warn: (message: string, error?: unknown) => void;
}

/** Reads on the primary, or also on the replica if `pools` has one. */
export function openReads(pools: DatabasePools, { seenSeq, onCommit, warn }: ReadsDeps): Reads {
  const { newEm, statements, replica } = pools;
  const primary: ReadServer = { newEm, statements: statements.api };
  if (replica === null) return { ...readsBy((read) => read(primary)), look: async () => null, figures: () => null };
  const watch = watchReplica({ ...replicaProbes(statements.urgent, replica.statements), seenSeq, warn });
  onCommit(watch.learn);
  replica.onConnectionLost(watch.doubt);
  const reads = { replica: 0, primary: 0 };
  const choose = chooser({ replica, primary }, watch, (answerer) => (reads[answerer] += 1));
  return {
    ...readsBy(choose),
    async look() {
      await watch.isCurrent();
      return watch.state();
    },
    figures: () => ({ state: watch.state(), reads: { ...reads } }),
  };
}

type ReadServer = Pick<NonNullable<DatabasePools['replica']>, 'newEm' | 'statements'>;

/** Runs `read` on one of the servers. */
type Choose = <Result>(read: (server: ReadServer) => Promise<Result>) => Promise<Result>;

function readsBy(choose: Choose): Pick<Reads, 'statements' | 'api' | 'exports'> {
  return {
    statements: { rows: (statement, values) => choose(({ statements }) => statements.rows(statement, values)) },
    api: (work) => choose(({ newEm }) => work(newEm.api())),
    exports: (work) => choose(({ newEm }) => work(newEm.exports())),
  };
}

/** After a read on the primary, later reads must see at least the same. */
function chooser(
  servers: Readonly<Record<keyof ReplicaFigures['reads'], ReadServer>>,
  watch: ReplicaWatch,
  count: (answerer: keyof ReplicaFigures['reads']) => void,
): Choose {
  return async (read) => {
    if (await watch.isCurrent()) {
      try {
        const result = await read(servers.replica);
        count('replica');
        return result;
      } catch (error) {
        // The primary would reject it, or time out, as well.
        if (error instanceof DomainError || isStopped(error)) throw error;
        watch.doubt();
      }
    }
    const result = await read(servers.primary);
    watch.learn();
    count('primary');
    return result;
  };
}
