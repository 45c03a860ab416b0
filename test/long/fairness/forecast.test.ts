import { beforeAll, describe, expect, test } from '@jest/globals';

import { forecastOf } from '../../../src/rules/edge.ts';
import type { Checkpoint } from '../../../src/rules/forecast/forecast.ts';
import { meanInterval, type MeanInterval } from '../../../src/rules/statistics/means.ts';
import { playedRounds } from '../../fairness/characters.ts';
import { type FieldRound, type Member, playForecast, priceAt, type Scored } from '../../fairness/played-forecast.ts';
import { found, recordedHours } from '../../fairness/recorded-hours.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';
import { seeded, type Seeded } from '../../support/seeded.ts';

const ROUNDS = 340;
/** Before these the weights are being learnt. */
const JUDGED = 240;

/** The mean of what `of` says of the last rounds, with its interval. */
function meanOf(scored: readonly Scored[], of: (one: Scored) => number): MeanInterval {
  const figures = scored.slice(-JUDGED).map(of);
  const sum = figures.reduce((total, figure) => total + figure, 0);
  const squareSum = figures.reduce((total, figure) => total + figure * figure, 0);
  return found(meanInterval({ n: figures.length, sum, squareSum }) ?? undefined);
}

/** By how much the forecast, or a member's carried one, is better than the price; who has not answered yet has the price. */
const gain = ({ price, forecast }: Scored): number => price - forecast;
const gainOf =
  (name: string) =>
  ({ price, carried }: Scored): number =>
    price - (carried.get(name) ?? price);

describeWithCandles('the forecast of fields of real rounds', CALM, () => {
  let rounds: readonly Omit<FieldRound, 'members'>[];
  let characters: readonly FieldRound[];

  beforeAll(() => {
    characters = playedRounds(recordedHours(CALM))
      .slice(0, ROUNDS)
      .map(({ answers, ...round }) => ({
        ...round,
        members: withAverager(
          round.question.choices.length,
          answers.map(({ character, ...answer }) => ({ name: character, ...answer })),
        ),
      }));
    rounds = characters;
    expect(rounds).toHaveLength(ROUNDS);
  });

  const fieldOf = (members: (round: Omit<FieldRound, 'members'>) => readonly Member[]): readonly FieldRound[] =>
    rounds.map((round) => ({ ...round, members: members(round) }));

  describe('late, copying, guessing and informed agents', () => {
    let scored: ReadonlyMap<Checkpoint, readonly Scored[]>;

    beforeAll(() => {
      scored = playForecast(characters);
      for (const [minute, all] of scored) print(`six characters, minute ${minute}`, all, 'insider');
    });

    test.each([15, 30] as const)(
      'the forecast has nine tenths of the insider’s gain over the price at minute %i',
      (minute) => {
        const all = found(scored.get(minute));
        expect(meanOf(all, gainOf('insider')).low).toBeGreaterThan(0);
        expect(meanOf(all, gain).mean).toBeGreaterThan(0.9 * meanOf(all, gainOf('insider')).mean);
      },
    );

    test('the forecast with only a coin’s answer at minute 5 is hardly worse than the price', () => {
      expect(meanOf(found(scored.get(5)), gain).mean).toBeGreaterThan(-0.005);
    });
  });

  describe('three agents, each informed half of the time', () => {
    const names = ['one', 'two', 'three'];
    let scored: ReadonlyMap<Checkpoint, readonly Scored[]>;

    beforeAll(() => {
      const random = seeded(7);
      scored = playForecast(
        fieldOf((round) => names.map((name, place) => halfInformed(round, name, 2 + 4 * place, random))),
      );
    });

    test.each([15, 30] as const)(
      'the forecast is significantly better than the best of three at minute %i',
      (minute) => {
        const all = found(scored.get(minute));
        const [best = ''] = names.toSorted(
          (one, other) => meanOf(all, gainOf(other)).mean - meanOf(all, gainOf(one)).mean,
        );
        print(`three half-informed, minute ${minute}`, all, best);
        expect(meanOf(all, (one) => gain(one) - gainOf(best)(one)).low).toBeGreaterThan(0);
      },
    );
  });

  describe('twenty coins', () => {
    test.each([
      ['at even odds', (k: number) => Math.floor(100 / k)],
      ['at any confidence', (_k: number, random: Seeded) => random.between(0, 100)],
    ])('the forecast from twenty coins %s loses less than 0.005 a round at every checkpoint', (what, confidenceOf) => {
      const random = seeded(9);
      const coins = fieldOf(({ question: { choices } }) =>
        Array.from({ length: 20 }, (_, place) => ({
          name: `coin-${place}`,
          minute: 0,
          pickIndex: random.between(0, choices.length - 1),
          confidence: confidenceOf(choices.length, random),
        })),
      );
      for (const [minute, all] of playForecast(coins)) {
        print(`coins ${what}, minute ${minute}`, all, 'coin-0');
        const lost = all.reduce((sum, one) => sum - gain(one), 0) / all.length;
        expect(lost).toBeLessThan(0.005);
      }
    });
  });
});

/** And one who repeats, when all have answered, what they say in the mean. */
function withAverager(k: number, members: readonly Member[]): readonly Member[] {
  const vectors = members.map((member) => forecastOf(member, k));
  const sums = Array.from({ length: k }, (_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0));
  const most = Math.max(...sums);
  const confidence = Math.round((100 * most) / members.length);
  return [...members, { name: 'averager', minute: 59, pickIndex: sums.indexOf(most), confidence }];
}

const KNOWS = 0.5;

/** Who knows the outcome half of the time, not when, and says honestly what follows from that and the price. */
function halfInformed(round: Omit<FieldRound, 'members'>, name: string, minute: number, random: Seeded): Member {
  const k = round.question.choices.length;
  const sign = random.chance(KNOWS) ? round.winner : random.between(0, k - 1);
  const right = KNOWS + (1 - KNOWS) / k;
  const likely = priceAt(round, minute).map((p, index) => p * (index === sign ? right : (1 - right) / (k - 1)));
  const most = Math.max(...likely);
  const sum = likely.reduce((total, one) => total + one, 0);
  return { name, minute, pickIndex: likely.indexOf(most), confidence: Math.round((100 * most) / sum) };
}

function print(what: string, scored: readonly Scored[], name: string): void {
  const [own, theirs] = [meanOf(scored, gain), meanOf(scored, gainOf(name))];
  const paired = meanOf(scored, (one) => gain(one) - gainOf(name)(one));
  process.stdout.write(
    `${what}: better than the price by ${shown(own)}, ${name} by ${shown(theirs)}, the difference ${shown(paired)}\n`,
  );
}

function shown({ mean, low, high }: MeanInterval): string {
  return `${mean.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`;
}
