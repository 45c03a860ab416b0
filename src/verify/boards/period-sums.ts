import { ARCHIVE_KINDS, periodOf } from '../../rules/windows.ts';
import { type AddedPrediction, addTo, noSums, type Sums } from './agent-records.ts';
import type { DecidedRound } from '../published/decided-round.ts';

interface PeriodRecord {
  readonly sums: Sums;
  readonly hours: Map<number, boolean>;
}

export interface PeriodSums {
  readonly rounds: Set<number>;
  readonly agents: Map<number, PeriodRecord>;
  /** True if a round was not read, or a streak began before the first round that was. */
  isPartial: boolean;
}

export type Periods = ReturnType<typeof newPeriods>;

export function newPeriods() {
  const byName = new Map<string, PeriodSums>();
  const of = ({ start_time: start }: DecidedRound): readonly PeriodSums[] =>
    ARCHIVE_KINDS.map((kind) => {
      const { name } = periodOf(kind, start);
      const known = byName.get(name) ?? { rounds: new Set(), agents: new Map(), isPartial: false };
      byName.set(name, known);
      return known;
    });
  return {
    byName,
    open(round: DecidedRound, isRead: boolean): void {
      for (const period of of(round)) {
        period.rounds.add(round.id);
        if (!isRead) period.isPartial = true;
      }
    },
    add(round: DecidedRound, scored: AddedPrediction): void {
      for (const period of of(round)) {
        const record = period.agents.get(scored.agentId) ?? { sums: noSums(), hours: new Map() };
        period.agents.set(scored.agentId, record);
        addTo(record.sums, scored);
        record.hours.set(round.start_time.getTime(), scored.correct);
        if (scored.bonus === null) period.isPartial = true;
      }
    },
  };
}

export function longestStreak(hours: PeriodRecord['hours']): number {
  let [best, streak] = [0, 0];
  for (const [, correct] of [...hours].toSorted(([one], [other]) => one - other)) {
    streak = correct ? streak + 1 : 0;
    best = Math.max(best, streak);
  }
  return best;
}
