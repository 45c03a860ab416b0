import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { DomainError } from '../rules/errors.ts';
import { isStopped } from './failures.ts';
import type { DatabasePools, NewEm } from './pools.ts';
import { replicaQuestions, type ReplicaState, type ReplicaWatch, watchReplica } from './replica-watch.ts';
import type { Statements } from './statements.ts';

/**
 * Does `work` with an entity manager of its own, on the replica where that holds all that this process has seen. Where the
 * replica fails the work is done once more, on the primary: it may only read.
 */
export type Read = <Result>(work: (em: SqlEntityManager) => Promise<Result>) => Promise<Result>;

export const ANSWERERS = ['replica', 'primary'] as const;

/** What operators see of the replica. */
export interface ReplicaFigures {
  readonly state: ReplicaState;
  /** Reads so far, by who answered. */
  readonly reads: Readonly<Record<(typeof ANSWERERS)[number], number>>;
}

/** The one place through which lists, nested rows and exports are read. */
export interface Reads {
  /** Of what callers read; a statement may be run once more on the primary. */
  readonly statements: Statements;
  readonly api: Read;
  /** Pages of exports. */
  readonly exports: Read;
  /** Asks the replica how it is; null where there is none. */
  readonly look: () => Promise<ReplicaState | null>;
  /** As it was found last. */
  readonly figures: () => ReplicaFigures | null;
}

interface ReadsDeps {
  /** The newest event that this process has seen. */
  readonly seenSeq: () => number;
  /** Calls `listener` after each commit that this process makes or hears of. */
  readonly onCommit: (listener: () => void) => void;
  /** Takes what an operator should know of. */
  readonly tell: (message: string, error?: unknown) => void;
}

/** Reads of the primary alone, or of the replica as well where `pools` has one. */
export function openReads(pools: DatabasePools, { seenSeq, onCommit, tell }: ReadsDeps): Reads {
  const { newEm, statements, replica } = pools;
  if (replica === null) {
    return {
      statements: statements.api,
      api: (work) => work(newEm.api()),
      exports: (work) => work(newEm.exports()),
      look: async () => null,
      figures: () => null,
    };
  }
  const watch = watchReplica({ ...replicaQuestions(statements.urgent, replica.statements), seenSeq, tell });
  onCommit(watch.learn);
  replica.onConnectionLost(watch.doubt);
  const reads = { replica: 0, primary: 0 };
  const choose = chooser(watch, (answerer) => (reads[answerer] += 1));
  const readBy = (replicaEm: NewEm, primaryEm: NewEm): Read => {
    return (work) =>
      choose(
        () => work(replicaEm()),
        () => work(primaryEm()),
      );
  };
  return {
    statements: {
      rows: (asked, values) =>
        choose(
          () => replica.statements.rows(asked, values),
          () => statements.api.rows(asked, values),
        ),
    },
    api: readBy(replica.newEm.api, newEm.api),
    exports: readBy(replica.newEm.exports, newEm.exports),
    async look() {
      await watch.isCurrent();
      return watch.state();
    },
    figures: () => ({ state: watch.state(), reads: { ...reads } }),
  };
}

/** The result of the one or the other. What was read on the primary is seen: later reads are held to it. */
function chooser(watch: ReplicaWatch, count: (answerer: keyof ReplicaFigures['reads']) => void) {
  return async <Result>(onReplica: () => Promise<Result>, onPrimary: () => Promise<Result>): Promise<Result> => {
    if (await watch.isCurrent()) {
      try {
        const result = await onReplica();
        count('replica');
        return result;
      } catch (error) {
        // It would be refused, and would take as long, on the primary too.
        if (error instanceof DomainError || isStopped(error)) throw error;
        watch.doubt();
      }
    }
    const result = await onPrimary();
    watch.learn();
    count('primary');
    return result;
  };
}
