import { asNumber } from './decimals.ts';
import { difference, differences } from './differences.ts';
import { listOf, numberOf, textOf, textsOf, type Body } from './json.ts';
import { scoredOf } from './oracle-answers.ts';
import type { Ledger } from './oracle-ledger.ts';
import type { Recording } from './recording.ts';

/** What the price alone said when each prediction was accepted, by the prediction's id, in the order of the choices. */
export function saidOf({ rounds }: Recording): ReadonlyMap<number, readonly number[]> {
  return new Map(
    rounds.flatMap(({ worths }) =>
      worths.map((worth): [number, number[]] => [
        numberOf(worth, 'id'),
        listOf(worth, 'reference').map((said) => numberOf(said, 'probability')),
      ]),
    ),
  );
}

/** The edge of every prediction, and that each has what the price alone said of every answer. */
export function worthDifferences({ rounds }: Recording, ledger: Ledger): string[] {
  const scored = scoredOf(ledger);
  return rounds.flatMap(({ id, round, worths }) => {
    const ids = (ledger.accepted.get(id) ?? []).map((prediction) => numberOf(prediction, 'id'));
    return [
      ...difference(`worths of round ${id}`, sorted(ids), sorted(worths.map((worth) => numberOf(worth, 'id')))),
      ...worths.flatMap((worth) => {
        const of = scored.get(numberOf(worth, 'id'));
        const where = `prediction ${numberOf(worth, 'id')} of round ${id}`;
        return [
          ...differences(where, { edge: of === undefined ? null : asNumber(of.edge, 6) }, worth),
          ...vectorFaults(where, textsOf(round, 'choices'), listOf(worth, 'reference')),
        ];
      }),
    ];
  });
}

function vectorFaults(where: string, choices: string[], reference: readonly Body[]): string[] {
  const probabilities = reference.map((said) => numberOf(said, 'probability'));
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  const isSound = Math.abs(sum - 1) < 1e-9 && probabilities.every((probability) => probability >= 0);
  return [
    ...difference(
      `${where}: answers of its reference`,
      choices,
      reference.map((said) => textOf(said, 'answer')),
    ),
    ...(isSound ? [] : [`${where}: its reference is ${JSON.stringify(probabilities)}, which does not add up to 1`]),
  ];
}

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}
