import { beforeAll, expect, test } from '@jest/globals';

import { brierTerm, referenceBrierTerm } from '../../src/rules/brier.ts';
import { edgeOf } from '../../src/rules/edge.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import { scoreOf } from '../../src/rules/scoring.ts';
import { meanInterval, type MeanInterval } from '../../src/rules/statistics/means.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { CALM, describeWithCandles } from '../history/shared-market.ts';
import { CHARACTERS, playedRounds, type Answered, type Character, type PlayedRound } from './characters.ts';
import { found, momentOf, recordedHours } from './recorded-hours.ts';

interface Played {
  readonly character: Character;
  readonly points: number;
  readonly hitRate: number;
  readonly skill: number;
  readonly edge: MeanInterval;
}

function edgeIn(round: PlayedRound, answer: Answered): number {
  const { hour, question, winner } = round;
  const reference = referenceAt(question, momentOf(hour, answer.minute, question.params.subject), RULES_VERSION);
  return edgeOf(reference, answer, { winnerIndex: winner, version: RULES_VERSION });
}

function recordOf(rounds: readonly PlayedRound[], character: Character): Played {
  const all = rounds.map((round) => ({
    round,
    answer: found(round.answers.find((one) => one.character === character)),
  }));
  const sum = (figure: (one: (typeof all)[number]) => number): number =>
    all.reduce((total, one) => total + figure(one), 0);
  const right = ({ round, answer }: (typeof all)[number]): boolean => answer.pickIndex === round.winner;
  const edges = all.map(({ round, answer }) => edgeIn(round, answer));
  const brier = sum((one) => numberOf(brierTerm(one.answer.confidence, right(one))));
  const reference = sum((one) => numberOf(referenceBrierTerm(one.round.question.choices.length, right(one))));
  return {
    character,
    points: sum((one) => scoreOf(one.answer.confidence, right(one))),
    hitRate: sum((one) => (right(one) ? 1 : 0)) / all.length,
    skill: 1 - brier / reference,
    edge: found(
      meanInterval({
        n: edges.length,
        sum: edges.reduce((total, edge) => total + edge, 0),
        squareSum: edges.reduce((total, edge) => total + edge * edge, 0),
      }) ?? undefined,
    ),
  };
}

function numberOf({ num, den }: { readonly num: bigint; readonly den: bigint }): number {
  return Number(num) / Number(den);
}

function signed(value: number): string {
  return (value < 0 ? '' : '+') + value.toFixed(3);
}

function lineOf({ character, points, hitRate, skill, edge }: Played): string {
  return [
    `| ${character}`,
    points,
    `${(100 * hitRate).toFixed(0)} %`,
    skill.toFixed(2),
    `${signed(edge.mean)} (${signed(edge.low)} to ${signed(edge.high)}) |`,
  ].join(' | ');
}

describeWithCandles('five characters in real rounds', CALM, () => {
  let rounds: readonly PlayedRound[];
  let records: Readonly<Record<Character, Played>>;

  beforeAll(() => {
    rounds = playedRounds(recordedHours(CALM));
    const [insider, trend, coin, sniper, copier] = CHARACTERS.map((character) => recordOf(rounds, character));
    records = {
      insider: found(insider),
      trend: found(trend),
      coin: found(coin),
      sniper: found(sniper),
      copier: found(copier),
    };
  });

  function order(figure: (record: Played) => number): readonly Character[] {
    return CHARACTERS.toSorted((left, right) => figure(records[right]) - figure(records[left]));
  }

  test('the sample has more than 300 rounds', () => {
    process.stdout.write(
      `${order(({ points }) => points)
        .map((one) => lineOf(records[one]))
        .join('\n')}\n`,
    );
    expect(rounds.length).toBeGreaterThan(300);
  });

  test('the boards by points and by skill are led by late predictions', () => {
    expect(order(({ points }) => points).slice(0, 2)).toEqual(['sniper', 'copier']);
    expect(order(({ skill }) => skill).slice(0, 2)).toEqual(['sniper', 'copier']);
  });

  test('the insider leads by edge, with a positive interval', () => {
    expect(order(({ edge }) => edge.mean)[0]).toBe('insider');
    expect(records.insider.edge.low).toBeGreaterThan(0);
  });

  test.each(['sniper', 'copier'] as const)('the edge interval of the %s includes 0', (character) => {
    const { low, high } = records[character].edge;
    expect(low).toBeLessThanOrEqual(0);
    expect(high).toBeGreaterThanOrEqual(0);
  });

  test('the edge interval of a coin includes 0, except in volatility', () => {
    const others = rounds.filter(({ question }) => question.questionType !== 'volatility');
    const { low, high } = recordOf(others, 'coin').edge;
    expect(low).toBeLessThanOrEqual(0);
    expect(high).toBeGreaterThanOrEqual(0);
    expect(records.coin.edge.mean).toBeLessThan(recordOf(others, 'coin').edge.mean);
  });
});
