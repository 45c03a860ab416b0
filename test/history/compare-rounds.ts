import { difference, differences, listDifferences } from './differences.ts';
import { HOUR, hourOf, milliseconds } from './hours.ts';
import { numberOf, textOf, type Body } from './json.ts';
import { expectedEntry, expectedResult, expectedRound, scoredOf } from './oracle-answers.ts';
import { faultsOfQuestion } from './oracle-shapes.ts';
import { factsOf } from './round-facts.ts';
import type { Candles } from './candle-files.ts';
import type { Ledger } from './oracle-ledger.ts';
import type { Recording, RoundRecord } from './recording.ts';

const ID = 'id';

/** Outcomes, prices, scores and the predictions themselves, round by round. */
export function roundDifferences(recording: Recording, ledger: Ledger, candles: Candles): string[] {
  const scored = scoredOf(ledger);
  const everyRound = recording.rounds.flatMap((record) => {
    const { id, round, predictions, entries } = record;
    const accepted = (ledger.accepted.get(id) ?? []).toSorted(byId);
    const expectedResults = accepted.map((prediction) =>
      expectedResult(prediction, scored.get(numberOf(prediction, ID))),
    );
    const expectedEntries = accepted.map((prediction) =>
      expectedEntry(prediction, scored.get(numberOf(prediction, ID))),
    );
    return [
      ...faultsOfQuestion(round),
      ...differences(`round ${id}`, expectedRound(factsOf(round), ledger, candles), round),
      ...listDifferences(`results of round ${id} by id`, expectedResults, predictions.toSorted(byId)),
      ...listDifferences(`entries of round ${id}`, expectedEntries, entries),
      ...orderFaults(record),
      ...accepted.flatMap((prediction) => hourFault(prediction, round)),
    ];
  });
  return [...everyRound, ...learnedDifferences(recording), ...recentDifferences(recording), ...hourFaults(recording)];
}

function byId(one: Body, other: Body): number {
  return numberOf(one, ID) - numberOf(other, ID);
}

function orderFaults({ id, predictions, entries }: RoundRecord): string[] {
  const scores = predictions.map((prediction) => prediction['score'] ?? null);
  const falling = scores.toSorted((one, other) => Number(other) - Number(one));
  const submissions = entries.map((entry) => textOf(entry, 'submitted_at'));
  return [
    ...difference(`the scores of results of round ${id} in their order`, falling, scores),
    ...difference(`the submissions of entries of round ${id} in their order`, submissions.toSorted(), submissions),
  ];
}

function hourFault(prediction: Body, round: Body): string[] {
  const submitted = milliseconds(textOf(prediction, 'submitted_at'));
  const inside =
    submitted >= milliseconds(textOf(round, 'start_time')) && submitted < milliseconds(textOf(round, 'end_time'));
  return inside
    ? []
    : [`${JSON.stringify(prediction)} is accepted outside of the hour from ${textOf(round, 'start_time')}`];
}

/** A question never changes after it was asked. */
function learnedDifferences({ learned, rounds }: Recording): string[] {
  const byRound = new Map(rounds.map(({ id, round }) => [id, round]));
  return learned.flatMap((asked) => {
    const round = byRound.get(numberOf(asked, ID));
    if (round === undefined) return [];
    const { status: _, total_entries: __, ...question } = asked;
    return differences(`round ${numberOf(asked, ID)} as it was asked`, question, round);
  });
}

function recentDifferences({ recent, rounds }: Recording): string[] {
  const newestFirst = rounds.toReversed().slice(0, recent.length);
  const expected = newestFirst.map(({ id, round }, index): Body => {
    const { question = null, status = null, total_entries = null, resolution_value = null } = round;
    const { btc_return_pct = null, eth_return_pct = null } = status === 'resolved' ? round : {};
    const more = Object.fromEntries(Object.entries(round).filter(([key]) => key in (recent[index] ?? {})));
    return { ...more, id, question, status, total_entries, resolution_value, btc_return_pct, eth_return_pct };
  });
  return listDifferences('recent', expected, recent);
}

/** Up to the stop every hour has exactly one round, in the order of ids; after it there are gaps but never two rounds. */
function hourFaults({ rounds, stoppedIn }: Recording): string[] {
  const stop = hourOf(stoppedIn);
  return rounds.flatMap(({ id, round }, index) => {
    const before = rounds[index - 1];
    if (before === undefined) return [];
    const hour = hourOf(textOf(round, 'start_time'));
    const step = hour - hourOf(textOf(before.round, 'start_time'));
    const right = id > before.id && (hour <= stop ? step === 1 : step >= 1);
    return right ? [] : [`round ${id} starts ${(step * HOUR) / 1000} s after round ${before.id}`];
  });
}
