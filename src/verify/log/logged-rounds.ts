import { predictionLeaf, type RecordKind } from '../../transparency/leaves.ts';
import { leafHash } from '../../transparency/merkle.ts';
import { decisionsOf } from '../rounds/decisions.ts';
import type { Findings } from '../findings.ts';
import type { ReadRound } from '../published/history.ts';
import {
  evidenceDigest,
  forecastScoresDigest,
  picksDigest,
  publishedForecastDigest,
  scoresDigest,
} from './logged-digests.ts';
import { type Entry, type LoggedLeaves, type LoggedRecord, recordOf } from './logged-leaves.ts';
import { type Prediction, submittedAt } from '../published/prediction.ts';

/** The digests of published words, by prediction. */
export type WordDigests = ReadonlyMap<number, string | null>;

interface RoundNeeds {
  readonly entries: readonly Entry[];
  /** The entries that are not predictions, without those that the log lacks. */
  readonly records: readonly LoggedRecord[];
  readonly leaves: LoggedLeaves;
  readonly words: WordDigests;
  readonly findings: Findings;
}

/** The order of a round's records in the log. */
const STAGES: readonly RecordKind[] = ['forecast', 'closed', 'decided', 'amended'];

/** Compares a decided round with its leaves. */
export async function checkLoggedRound(read: ReadRound, needs: RoundNeeds): Promise<void> {
  const { records, findings } = needs;
  const { id } = read.round;
  const closed = records.filter(({ kind }) => kind === 'closed');
  const [only] = closed;
  findings.logged(`round ${id}`, { closings: 1 }, { closings: closed.length });
  const stages = records.map(({ kind }) => STAGES.indexOf(kind));
  if (stages.some((stage, at) => stage < (stages[at - 1] ?? 0)))
    findings.alarm(`round ${id}: its records are in another order than ${STAGES.join(', ')}.`);
  if (only !== undefined) await checkClosing(read, only, needs);
  const [made, logged] = [decisionsOf(read, read.round), records.filter(isDecision)];
  findings.logged(`round ${id}`, { decisions: made.length }, { decisions: logged.length });
  checkDecisions(read, records, findings);
  checkForecasts(read, only, needs);
}

/** The records that match a leaf of the log; those after the checkpoint are left out. */
export function matchedRecords(
  place: string,
  entries: readonly Entry[],
  { leaves, findings }: Pick<RoundNeeds, 'leaves' | 'findings'>,
): readonly LoggedRecord[] {
  const records = entries.flatMap((entry) => (entry.index < leaves.size ? (recordOf(entry) ?? []) : []));
  return records.filter(({ kind, index, leaf }) => {
    const isThere = leaves.match(index, leaf);
    if (!isThere) findings.alarm(`${place}: its record "${kind}" is not leaf ${index} of the log.`);
    return isThere;
  });
}

async function checkClosing(
  { round, predictions }: ReadRound,
  { index, values }: LoggedRecord,
  needs: RoundNeeds,
): Promise<void> {
  const { entries, leaves, words, findings } = needs;
  const place = `round ${round.id}, as closed`;
  const first = index - Number(values['entries']);
  const asClosed = {
    round: round.id,
    start: round.start_time.getTime(),
    type: round.question_type,
    question: round.question,
    choices: round.choices.join(','),
    subject: round.subject,
    operator: round.operator,
    threshold_pct: round.threshold_pct,
    n: round.n,
    rules: round.rules_version,
    entries: predictions.length,
    root: (await leaves.root(first, index)).toString('base64'),
  };
  findings.logged(
    place,
    asShown(asClosed),
    asShown({ ...values, threshold_pct: Number(values['threshold_pct']) || values['threshold_pct'] }, asClosed),
  );
  const indexOf = new Map<string, number>();
  for (let at = first; at < index; at += 1) indexOf.set(leaves.hashAt(at).toString('hex'), at);
  const erased = new Map(entries.filter((one) => recordOf(one) === null).map(({ leaf }) => wordsIn(leaf)));
  const sorted = predictions.toSorted((one, other) => one.id - other.id);
  let last = first;
  for (const prediction of sorted) {
    const { id, agent_id: agentId, agent_name: name } = prediction;
    const digest = words.get(id) ?? erased.get(agentId) ?? null;
    const leaf = leafOf(prediction, digest);
    const at = indexOf.get(leafHash(leaf).toString('hex'));
    const who = `round ${round.id}, prediction ${id} of ${name}`;
    if (at === undefined) findings.alarm(`${who}: the log does not have it as it is published.`);
    else {
      if (at < last) findings.alarm(`${who}: the log has it before others that are published before it.`);
      leaves.match(at, leaf);
      last = Math.max(last, at);
    }
  }
  for (const at of leaves.unmatched(first, index)) {
    findings.alarm(`round ${round.id}: leaf ${at} of the log is a prediction that is not published, or not as it was.`);
    leaves.ignore(at);
  }
}

/** The agent and digest of a prediction's leaf. Only digests remain of words that were hidden or deleted. */
function wordsIn(leaf: string): readonly [number, string | null] {
  const [, agent, , , , , digest = '-'] = fieldsOf(leaf);
  return [Number(agent), digest === '-' ? null : digest];
}

function fieldsOf(leaf: string): readonly string[] {
  return leaf.trimEnd().split('\n').at(1)?.split(' ') ?? [];
}

function leafOf(one: Prediction, words: string | null): string {
  const { round_id: roundId, agent_id: agentId, prediction, confidence } = one;
  const standing = one.standing === 1;
  return predictionLeaf({ roundId, agentId, prediction, confidence, submittedAt: submittedAt(one), standing, words });
}

function isDecision({ kind }: LoggedRecord): boolean {
  return kind === 'decided' || kind === 'amended';
}

/** Compares the records of decisions with a round's newest decisions. */
export function checkDecisions(read: ReadRound, records: readonly LoggedRecord[], findings: Findings): void {
  const { id } = read.round;
  const logged = records.filter(isDecision);
  const all = decisionsOf(read, read.round);
  const decisions = all.slice(Math.max(0, all.length - logged.length));
  for (const [index, { kind, values }] of logged.entries()) {
    const decision = decisions[index];
    if (decision === undefined) continue;
    const { round, at, details } = decision;
    const isVoid = round.status === 'void';
    const published = {
      round: id,
      status: round.status,
      outcome: round.outcome,
      void_reason: round.void_reason,
      [`${kind}_at`]: at.getTime(),
      evidence: evidenceDigest(details.evidence),
      // Scores of earlier decisions are not published.
      ...(index === decisions.length - 1 && {
        scores: isVoid ? null : scoresDigest(read),
        forecasts: isVoid ? null : forecastScoresDigest(details.forecasts),
      }),
    };
    findings.logged(`round ${id}, as ${kind}`, asShown(published), asShown(values, published));
  }
}

function checkForecasts(
  { round, details }: ReadRound,
  closed: LoggedRecord | undefined,
  { entries, records, leaves, findings }: RoundNeeds,
): void {
  const logged = records.filter(({ kind }) => kind === 'forecast');
  const first = closed === undefined ? null : closed.index - Number(closed.values['entries']);
  // The log may have begun within its first round.
  if (Math.min(first ?? leaves.size, records[0]?.index ?? 0) > 1) {
    const minutes = logged.map(({ values }) => Number(values['minute']));
    findings.order(
      `round ${round.id}, forecasts of the log`,
      details.forecasts.map(({ minute }) => minute),
      minutes,
    );
  }
  const own = entries.filter((one) => recordOf(one) === null && fieldsOf(one.leaf).at(5) === '0');
  for (const { values, salt } of logged) {
    const minute = Number(values['minute']);
    const place = `round ${round.id}, forecast of minute ${minute}`;
    const forecast = details.forecasts.find((one) => one.minute === minute);
    if (forecast === undefined || salt === null) {
      findings.alarm(`${place}: the log has it, and the service does not publish ${forecast ? 'its salt' : 'it'}.`);
      continue;
    }
    const isSealed = first !== null && values['picks'] !== '-';
    const picks = own.slice(0, forecast.entries).map(({ leaf }) => leafHash(leaf));
    const published = {
      round: round.id,
      recorded_at: forecast.recordedAt.getTime(),
      entries: forecast.entries,
      forecast: publishedForecastDigest(forecast, salt),
      ...(isSealed && { picks: picksDigest(salt, picks) }),
    };
    findings.logged(place, asShown(published), asShown(values, published));
  }
}

type ShownValues = Readonly<Record<string, string | number | null | undefined>>;

/** Values as leaves have them; `like` chooses the names. */
function asShown(values: ShownValues, like: ShownValues = values) {
  return Object.fromEntries(Object.keys(like).map((name) => [name, String(values[name] ?? '-')]));
}
