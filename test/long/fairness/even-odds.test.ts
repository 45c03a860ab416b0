import { beforeAll, expect, test } from '@jest/globals';

import { QUESTION_TYPES, type QuestionType } from '../../../src/rules/questions/question.ts';
import { referenceAt } from '../../../src/rules/reference/reference.ts';
import { meanInterval, type MeanInterval } from '../../../src/rules/statistics/means.ts';
import { edgeOf } from '../../../src/rules/edge.ts';
import { RULES_VERSION } from '../../../src/rules/versions.ts';
import { questionsOf } from '../../fairness/decided-questions.ts';
import { found, type Hour, momentOf, recordedHours } from '../../fairness/recorded-hours.ts';
import { CALM, describeWithCandles, HALTS } from '../../history/shared-market.ts';

/** How many questions of a type an hour is asked, where it has as many. */
const MOST_ASKED = 8;

/** The mean edge of even odds at the start of an hour, over its questions of a type. */
function edgeIn(hour: Hour, type: QuestionType): number {
  const edges = questionsOf(type, hour, MOST_ASKED).map(({ question, winner }) => {
    const reference = referenceAt(question, momentOf(hour, 0, question.params.subject), RULES_VERSION);
    return edgeOf(
      reference,
      { pickIndex: 0, confidence: Math.floor(100 / question.choices.length) },
      { winnerIndex: winner, version: RULES_VERSION },
    );
  });
  return edges.reduce((sum, edge) => sum + edge, 0) / edges.length;
}

/** By type; an hour counts once, since its questions are right or wrong together. */
function edgesIn(folder: string): ReadonlyMap<QuestionType, MeanInterval> {
  const hours = recordedHours(folder);
  const rows = QUESTION_TYPES.map((type) => {
    const edges = hours.map((hour) => edgeIn(hour, type));
    const sum = edges.reduce((total, edge) => total + edge, 0);
    const squareSum = edges.reduce((total, edge) => total + edge * edge, 0);
    return [type, found(meanInterval({ n: edges.length, sum, squareSum }) ?? undefined)] as const;
  });
  return new Map(rows);
}

function signed(value: number): string {
  return (value < 0 ? '' : '+') + value.toFixed(3);
}

function textOf({ mean, low, high }: MeanInterval): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

describeWithCandles('even odds at the start of each hour', HALTS, () => {
  let wild: ReadonlyMap<QuestionType, MeanInterval>;
  let calm: ReadonlyMap<QuestionType, MeanInterval>;

  beforeAll(() => {
    [wild, calm] = [edgesIn(HALTS), edgesIn(CALM)];
    const lines = QUESTION_TYPES.map(
      (type) => `| \`${type}\` | ${textOf(found(wild.get(type)))} | ${textOf(found(calm.get(type)))} |`,
    );
    process.stdout.write(`${lines.join('\n')}\n`);
  });

  const typesWhere = (edges: typeof wild, holds: (edge: MeanInterval) => boolean): readonly QuestionType[] =>
    QUESTION_TYPES.filter((type) => holds(found(edges.get(type))));

  test('even odds cost nothing where the price has even odds too', () => {
    for (const edges of [wild, calm])
      expect(typesWhere(edges, ({ low, high }) => low === 0 && high === 0)).toEqual(['relative', 'direction']);
  });

  test('even odds cost edge in all other types but momentum in a volatile month', () => {
    const losing = typesWhere(wild, ({ high }) => high < 0);
    expect(QUESTION_TYPES.filter((type) => !losing.includes(type))).toEqual(['relative', 'direction', 'momentum']);
  });

  test('even odds gain in a calm month where the reference expects volatility', () => {
    expect(typesWhere(calm, ({ low }) => low > 0)).toEqual(['touch', 'magnitude', 'range']);
  });
});
