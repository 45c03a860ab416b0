import { beforeAll, describe, expect, test } from '@jest/globals';

import { ask, dataOf } from '../../support/asking.ts';
import type { Fact, Played, PlayedField } from '../../support/played-field.ts';
import { brierOf, isRight, rounded, WINDOW_DAYS, WINDOWS } from '../../oracle/calibration.ts';

const FIGURES = `keys { dimension value } n hitRate { mean n } meanConfidence { mean } brier { mean } referenceBrier
  skill { mean } edge { mean n } pnlUsd { mean } pnlTotalUsd`;

/** What a prediction's values of a dimension are, by its words. */
const VALUES: Readonly<Record<string, (fact: Fact) => readonly string[]>> = {
  QUESTION_TYPE: ({ questionType }) => [questionType],
  ASSET: ({ assets }) => assets,
  HOUR_OF_DAY: ({ start }) => [start.toISOString().slice(11, 13)],
  WEEKDAY: ({ start }) => [String(start.getUTCDay() || 7)],
  LEAD_TIME: ({ end, submittedAt }) => {
    const minutes = (end.getTime() - submittedAt.getTime()) / 60_000;
    return [
      minutes >= 45 ? '45-60' : minutes >= 30 ? '30-45' : minutes >= 15 ? '15-30' : minutes >= 5 ? '5-15' : '0-5',
    ];
  },
  ANSWER: ({ prediction }) => [prediction],
};

const NAMES = Object.keys(VALUES);
const ASKED = NAMES.flatMap((one) => [[one], ...NAMES.filter((other) => other !== one).map((other) => [one, other])]);

export function describeBreakdowns(played: () => Played): void {
  describe('breakdowns', () => {
    let field: PlayedField;
    let facts: readonly Fact[];
    let scored: readonly Fact[];

    beforeAll(() => {
      ({ field, facts } = played());
      scored = facts.filter(({ outcome }) => outcome !== null);
    });

    test.each(ASKED.map((by) => [by.join(' and '), by] as const))(
      'breakdowns by %s equal a recount, of the field and of an agent',
      async (_name, by) => {
        const dimensions = `by: [${by.join(', ')}]`;
        const shown = await bothOf(field, `{ breakdown(${dimensions}) { ${FIGURES} } }`);
        expect(rounded(shown.breakdown)).toEqual(rounded(groupsByHand(by, scored)));
        const agents = await bothOf(field, `{ breakdown(${dimensions}, agentId: 3) { ${FIGURES} } }`);
        const own = scored.filter(({ agentId }) => agentId === 3);
        expect(rounded(agents.breakdown)).toEqual(rounded(groupsByHand(by, own)));
      },
    );

    test('breakdowns cover whole days: a window, or from and to', async () => {
      const days = scored.map(({ start }) => start.toISOString().slice(0, 10));
      const newest = Date.parse([...days].toSorted().at(-1) ?? '');
      for (const window of WINDOWS) {
        const first = newest - (WINDOW_DAYS[window] - 1) * 86_400_000;
        const inside = scored.filter(({ start }) => start.getTime() >= first);
        await expectRange(field, `window: ${window}`, inside);
      }
      const [from, to] = ['2026-01-02', '2026-01-25'];
      const isFrom = ({ start }: Fact): boolean => start >= new Date(from);
      const isTo = ({ start }: Fact): boolean => start < new Date(to);
      await expectRange(field, `from: "${from}T00:00:00Z"`, scored.filter(isFrom));
      await expectRange(field, `to: "${to}T00:00:00Z"`, scored.filter(isTo));
      await expectRange(
        field,
        `from: "${from}T00:00:00Z", to: "${to}T00:00:00Z"`,
        scored.filter((fact) => isFrom(fact) && isTo(fact)),
      );
      await expectRange(field, 'from: "2030-01-01T00:00:00Z"', []);
    });

    test('breakdowns have intervals from 20 predictions on', async () => {
      const intervals = 'n { mean low high }'.slice(2);
      const names = ['hitRate', 'meanConfidence', 'brier', 'skill', 'edge', 'pnlUsd'];
      const query = `{ breakdown(by: [QUESTION_TYPE, HOUR_OF_DAY]) { n ${names.map((name) => `${name} ${intervals}`).join(' ')} }
        all: breakdown(by: [LEAD_TIME]) { n keys { value } pnlUsd { mean low high } ${names.map((name) => `${name} ${intervals}`).join(' ')} } }`;
      const shown = await dataOf(field.service, query);
      const few = shown.breakdown.filter(({ n }: { n: number }) => n < 20);
      expect(few.length).toBeGreaterThan(10);
      for (const group of few) {
        expect(group.skill).toBeNull();
        for (const name of names.filter((one) => one !== 'skill'))
          expect(group[name]).toMatchObject({ low: null, high: null });
      }
      const [most] = shown.all.toSorted((a: { n: number }, b: { n: number }) => b.n - a.n);
      expect(most.n).toBeGreaterThan(100);
      for (const name of names) {
        expect(most[name].low).toBeLessThan(most[name].mean);
        expect(most[name].high).toBeGreaterThan(most[name].mean);
      }
      const own = scored
        .filter((fact) => VALUES['LEAD_TIME']?.(fact)[0] === most.keys[0].value)
        .map(({ pnl }) => pnl ?? 0);
      const mean = own.reduce((sum, pnl) => sum + pnl, 0) / own.length;
      const error = Math.sqrt(own.reduce((sum, pnl) => sum + (pnl - mean) ** 2, 0) / (own.length - 1) / own.length);
      // Student's t at 97.5 % lies between these from 100 degrees of freedom on.
      expect((most.pnlUsd.high - mean) / error).toBeGreaterThan(1.9599);
      expect((most.pnlUsd.high - mean) / error).toBeLessThan(1.984);
    });

    test('breakdowns refuse invalid dimensions and ranges', async () => {
      const refusals = {
        'by: []': 'by must be one or two dimensions, each once (got []).',
        'by: [ASSET, ASSET]': 'by must be one or two dimensions, each once (got ["ASSET","ASSET"]).',
        'by: [ASSET, ANSWER, WEEKDAY]':
          'by must be one or two dimensions, each once (got ["ASSET","ANSWER","WEEKDAY"]).',
        'by: [ASSET], from: "2026-01-01T01:00:00Z"':
          'from must be the beginning of a UTC day, such as 2026-11-20T00:00:00Z (got "2026-01-01T01:00:00.000Z").',
        'by: [ASSET], window: daily, to: "2026-01-01T00:00:00Z"':
          'Days must be given either by window, or by from and to (got both).',
      };
      for (const [args, message] of Object.entries(refusals)) {
        const { errors } = await ask(field.service, `{ breakdown(${args}) { n } }`);
        expect(errors.map((error) => error.message)).toEqual([message]);
      }
    });
  });
}

/** The answer to a document that is sent for the first time, which must be that to the same one compiled. */
async function bothOf(field: PlayedField, query: string) {
  const [first, again] = [await dataOf(field.service, query), await dataOf(field.service, query)];
  expect(again).toEqual(first);
  return first;
}

async function expectRange(field: PlayedField, args: string, inside: readonly Fact[]): Promise<void> {
  const query = `{ field: breakdown(by: [LEAD_TIME, WEEKDAY], ${args}) { ${FIGURES} }
    agent: breakdown(by: [WEEKDAY], agentId: 4, ${args}) { ${FIGURES} } }`;
  const shown = await dataOf(field.service, query);
  expect({ args, shown: rounded(shown.field) }).toEqual({
    args,
    shown: rounded(groupsByHand(['LEAD_TIME', 'WEEKDAY'], inside)),
  });
  const own = inside.filter(({ agentId }) => agentId === 4);
  expect({ args, shown: rounded(shown.agent) }).toEqual({ args, shown: rounded(groupsByHand(['WEEKDAY'], own)) });
}

function groupsByHand(by: readonly string[], facts: readonly Fact[]): readonly object[] {
  const [first = '', second] = by;
  const entries = facts.flatMap((fact) =>
    (VALUES[first]?.(fact) ?? []).flatMap((one) =>
      (second === undefined ? [''] : (VALUES[second]?.(fact) ?? [])).map((other) => ({ key: `${one} ${other}`, fact })),
    ),
  );
  return [...Map.groupBy(entries, ({ key }) => key)]
    .toSorted(([one], [other]) => (inOrder(one) < inOrder(other) ? -1 : 1))
    .map(([key, group]) => {
      const values = key.split(' ');
      return {
        keys: by.map((dimension, at) => ({ dimension, value: values[at] })),
        ...figuresByHand(group.map(({ fact }) => fact)),
      };
    });
}

/** As text, but for lead times, the longest of which comes first. */
function inOrder(key: string): string {
  return key.replaceAll(/(\d+)-\d+/g, (_, minutes: string) => String(99 - Number(minutes)));
}

function figuresByHand(facts: readonly Fact[]) {
  const n = facts.length;
  const mean = (of: (fact: Fact) => number): number => facts.reduce((sum, fact) => sum + of(fact), 0) / n;
  const brier = mean((fact) => brierOf(fact));
  const referenceBrier = mean((fact) => (1 / fact.choices.length - isRight(fact)) ** 2);
  return {
    n,
    hitRate: { mean: mean(isRight), n },
    meanConfidence: { mean: mean(({ confidence }) => confidence / 100) },
    brier: { mean: brier },
    referenceBrier,
    skill: n < 20 ? null : { mean: 1 - brier / referenceBrier },
    edge: { mean: mean(({ edge }) => edge ?? 0), n },
    pnlUsd: { mean: mean(({ pnl }) => pnl ?? 0) },
    pnlTotalUsd: Number((n * mean(({ pnl }) => pnl ?? 0)).toFixed(2)),
  };
}
