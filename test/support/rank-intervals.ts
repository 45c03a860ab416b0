import {
  drawsOf,
  type RankInterval,
  rankIntervalSteps,
  type Resampling,
  type RoundFigures,
} from '../../src/rules/statistics/rank-intervals.ts';

/** All steps of `rankIntervalSteps` at once. */
export function rankIntervals(agents: readonly RoundFigures[], resampling: Resampling): readonly RankInterval[] {
  const steps = rankIntervalSteps(agents, drawsOf(resampling));
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
