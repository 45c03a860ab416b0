import type { HistoryHour } from '../../rules/questions/question.ts';
import { inWindow, PERIODS } from '../../rules/windows.ts';
import { recomputedRound, checkQuestion } from './round-question.ts';
import { checkAgreement } from '../prices/candle-agreement.ts';
import type { FolderCandles } from '../prices/candle-folder.ts';
import { newAgentRecords, type ScoredPrediction } from '../boards/agent-records.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import type { Findings } from '../findings.ts';
import { checkCandles } from '../prices/folder-check.ts';
import type { History } from '../published/history.ts';
import { newKindRecords } from '../boards/kind-boards.ts';
import { newPeriods } from '../boards/period-sums.ts';
import { checkCrowd } from './round-crowd.ts';
import { type RecomputedDecision, checkChain, decisionsOf, recordEdges } from './decisions.ts';
import { checkOutcome, comparePrices } from './round-outcome.ts';
import { newForecasts } from './round-forecasts.ts';
import { type RecomputedRound, checkReferences } from '../prices/round-references.ts';
import { checkScores } from './round-scores.ts';

/** `unknownBonuses` counts streak bonuses that depend on unread rounds. */
export function checkRounds({ rounds, read }: History, findings: Findings, folder: FolderCandles | null) {
  const agentRecords = newAgentRecords();
  const periods = newPeriods();
  const forecasts = newForecasts();
  const kinds = newKindRecords();
  const ends = rounds.filter(({ status }) => status === 'resolved').map(({ end_time: end }) => end.getTime());
  const newestEnd = new Date(Math.max(0, ...ends));
  let unknownBonuses = 0;
  noteTies(rounds, findings);
  for (const { at, round, amendment } of stepsOf(rounds, read)) {
    const known = read.get(round.id);
    if (amendment === 0 && round.status === 'resolved') periods.open(round, known !== undefined);
    if (known === undefined) {
      if (round.status === 'resolved' || round.amended_at !== null) {
        agentRecords.skipRound();
        forecasts.skipRound();
      }
      continue;
    }
    const found = recomputedRound(known);
    const decisions = decisionsOf(found, found.question);
    const [now, before = null] = [decisions[amendment], decisions[amendment - 1]];
    if (now === undefined) continue;
    const first = decisions[0]?.answer ?? null;
    if (before !== null) {
      recordEdges(now, before, forecasts);
      forecasts.amend(found, { from: before.answer, to: now.answer, at });
      continue;
    }
    const answer = checkRound(found, decisions, { folder, findings });
    const windows = PERIODS.filter((period) => inWindow(period, newestEnd, round.end_time));
    const add = (scored: ScoredPrediction): number | null => {
      const bonus = agentRecords.add(scored, windows);
      periods.add(round, { ...scored, bonus });
      kinds.add(round, { ...scored, bonus }, windows);
      return bonus;
    };
    const needs = { answer, first, findings };
    const arenaGains = forecasts.arenaGains(found, needs);
    forecasts.check(found, needs);
    recordEdges(now, null, forecasts);
    unknownBonuses += checkScores(found, { ...needs, arenaGains, add });
    checkCrowd(found, findings);
    checkReferences(found, findings);
  }
  return { agentRecords, periods, forecasts, kinds, newestEnd, unknownBonuses };
}

function checkRound(
  read: RecomputedRound,
  decisions: readonly RecomputedDecision[],
  { folder, findings }: { readonly folder: FolderCandles | null; readonly findings: Findings },
): string | null {
  const { round } = read;
  checkQuestion(read, findings);
  checkChain(read, findings);
  let answer: string | null = null;
  let prices: HistoryHour = {};
  for (const decision of decisions) {
    answer = decision.answer;
    if (decision.byOperator) {
      const { outcome } = decision.round;
      const end = outcome === null ? 'declared void' : `given to ${outcome}`;
      findings.note(`round ${round.id} was ${end} by an operator: no rule decides that.`);
      continue;
    }
    const agreed = checkAgreement(decision, findings);
    if (folder !== null) checkCandles(decision, { folder, findings });
    const recomputed = checkOutcome(decision, agreed, findings);
    answer = recomputed.kind === 'answer' ? recomputed.answer : null;
    if (answer !== null) prices = agreed.candles;
  }
  comparePrices(read, prices, findings);
  const last = decisions.at(-1)?.round ?? round;
  if (round.amended_at !== null || round.void_reason === 'admin')
    findings.values(`round ${round.id}`, round, { outcome: answer, resolution_value: last.resolution_value });
  return answer;
}

/** The decisions of all rounds by time; `amendment` is 0 for a round's first one, and counts its amendments from 1. */
function stepsOf(rounds: readonly DecidedRound[], read: History['read']) {
  const steps = rounds.flatMap((round) => [
    { at: round.decided_at, round, amendment: 0 },
    ...(read.get(round.id)?.details.amendments ?? []).map(({ amendedAt: at }, index) => ({
      at,
      round,
      amendment: index + 1,
    })),
  ]);
  return steps.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** Streaks follow the order of decision, which equal times leave open. */
function noteTies(rounds: readonly DecidedRound[], findings: Findings): void {
  const resolved = rounds.filter(({ status }) => status === 'resolved');
  for (const [index, round] of resolved.entries()) {
    const before = resolved[index - 1];
    if (before?.decided_at.getTime() !== round.decided_at.getTime()) continue;
    findings.note(`rounds ${before.id} and ${round.id} were decided in the same millisecond: taken in this order.`);
  }
}
