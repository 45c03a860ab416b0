import type { Question } from '../../src/rules/questions/question.ts';
import { inWindow, PERIODS } from '../../src/rules/windows.ts';
import { askedIn, checkQuestion } from './asked-question.ts';
import { checkAgreement } from './candle-agreement.ts';
import type { FolderCandles } from './candle-folder.ts';
import { type Careers, newCareers, type Scored } from './careers.ts';
import type { DecidedRound } from './decided-round.ts';
import { payoffLookup } from './payoffs.ts';
import type { Findings } from './findings.ts';
import { checkCandles } from './folder-check.ts';
import type { History, ReadRound } from './history.ts';
import { type KindRecords, newKindRecords } from './kind-boards.ts';
import { newPeriods, type Periods } from './period-sums.ts';
import { checkCrowd } from './round-crowd.ts';
import { checkOutcome } from './round-outcome.ts';
import { type Forecasts, newForecasts } from './round-forecasts.ts';
import { checkReferences, saidBy } from './round-references.ts';
import { checkScores } from './round-scores.ts';

export interface CheckedRounds {
  readonly careers: Careers;
  readonly periods: Periods;
  readonly forecasts: Forecasts;
  readonly kinds: KindRecords;
  /** Streak bonuses that depend on rounds which were not read. */
  readonly untoldBonuses: number;
}

/** Works every round out again in the order of decision, and compares; what agents come to is built up on the way. */
export function checkRounds(
  { rounds, read }: History,
  findings: Findings,
  folder: FolderCandles | null,
): CheckedRounds {
  const careers = newCareers();
  const periods = newPeriods();
  const forecasts = newForecasts();
  const kinds = newKindRecords();
  const payoffOf = payoffLookup();
  const ends = rounds.filter(({ status }) => status === 'resolved').map(({ end_time: end }) => end.getTime());
  const newestEnd = new Date(Math.max(0, ...ends));
  let untoldBonuses = 0;
  noteTies(rounds, findings);
  for (const round of rounds) {
    const found = read.get(round.id);
    if (round.status === 'resolved') periods.open(round, found !== undefined);
    if (found === undefined) {
      if (round.status === 'resolved') {
        careers.skipRound();
        forecasts.skipRound();
      }
      continue;
    }
    const asked = askedIn(round);
    const answer = checkRound(found, { asked, folder, findings });
    const windows = PERIODS.filter((period) => inWindow(period, newestEnd, round.end_time));
    const both = alsoBy(careers, (scored, bonus) => {
      periods.add(round, scored, bonus);
      kinds.add(round, scored, { bonus, windows });
      forecasts.addEdge(scored.agentId, scored.edge, round.decided_at);
    });
    const saidAt = saidBy(found, asked);
    const needs = { asked, answer, saidAt, findings };
    const arenaGains = forecasts.arenaGains(found, needs);
    forecasts.check(found, needs);
    untoldBonuses += checkScores(found, { ...needs, windows, payoffOf, arenaGains, careers: both });
    checkCrowd(found, asked, findings);
    checkReferences(found, { asked, saidAt, findings });
  }
  return { careers, periods, forecasts, kinds, untoldBonuses };
}

/** The careers, of which each prediction that is added is told on. */
function alsoBy(careers: Careers, tell: (scored: Scored, bonus: number | null) => void): Careers {
  return {
    ...careers,
    add(scored, windows) {
      const bonus = careers.add(scored, windows);
      tell(scored, bonus);
      return bonus;
    },
  };
}

interface RoundNeeds {
  readonly asked: Question;
  readonly folder: FolderCandles | null;
  readonly findings: Findings;
}

/** Question, candles and outcome; returns the right answer, or null for a void round. */
function checkRound(read: ReadRound, { asked, folder, findings }: RoundNeeds): string | null {
  const { round } = read;
  checkQuestion(read, asked, findings);
  if (round.status === 'void' && round.void_reason === 'admin') {
    findings.note(`round ${round.id} was declared void by an operator: no rule decides that.`);
    findings.values(`round ${round.id}`, round, { outcome: null, resolution_value: null });
    return null;
  }
  const agreed = checkAgreement(read, asked, findings);
  if (folder !== null) checkCandles(read, { asked, folder, findings });
  return checkOutcome(read, asked, agreed, findings);
}

/** Streaks follow the order of decision, which times alone do not show where they are the same. */
function noteTies(rounds: readonly DecidedRound[], findings: Findings): void {
  const resolved = rounds.filter(({ status }) => status === 'resolved');
  for (const [index, round] of resolved.entries()) {
    const before = resolved[index - 1];
    if (before?.decided_at.getTime() !== round.decided_at.getTime()) continue;
    findings.note(`rounds ${before.id} and ${round.id} were decided in the same millisecond: taken in this order.`);
  }
}
