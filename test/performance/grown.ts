import type { Plan, Work } from './work.ts';

/** As found, in the order of `FIGURES`. */
export type Bounds = readonly [statements: number, rows: number, buffers: number, log: number, kB: number];

export interface Measured {
  readonly name: string;
  readonly bounds: Bounds;
  /** The least counts: now and then a process does something of its own meanwhile. */
  readonly tries: readonly Work[];
  /** Requests or predictions in a try. */
  readonly count: number;
  /** Of JavaScript's heap, for each. */
  readonly bytes: number;
}

interface Figure {
  readonly what: string;
  /** Growth that is allowed. */
  readonly margin: number;
  readonly of: (work: Work) => number;
  /** The part of a plan. */
  readonly part: (plan: Plan) => number;
}

const sumOf = (part: Figure['part']) => ({
  part,
  of: ({ plans }: Work) => plans.reduce((sum, plan) => sum + part(plan), 0),
});

const FIGURES: readonly Figure[] = [
  { what: 'statements', margin: 1, of: ({ statements }) => statements.length, part: () => 1 },
  { what: 'rows read', margin: 1.1, ...sumOf(({ rows }) => rows) },
  { what: 'buffers touched', margin: 1.1, ...sumOf(({ buffers }) => buffers) },
  { what: 'bytes of WAL', margin: 1.05, of: ({ log }) => log, part: ({ log }) => log },
];
const HEAP_MARGIN = 1.3;
const [PARTS, PART_LENGTH] = [4, 70];

/** A line for each figure above its bound, with the plans that have most of it. */
export function grown({ name, bounds, tries, count, bytes }: Measured): readonly string[] {
  const lines = FIGURES.flatMap(({ what, margin, of, part }, place) => {
    const [least] = tries.toSorted((one, other) => of(one) - of(other));
    if (least === undefined) throw new Error(`${name} must be measured`);
    return lineOf(`${what} of ${name}`, of(least) / count, { found: bounds[place] ?? 0, margin }).map(
      (line) => `${line}: ${mostOf(least.plans, part)}`,
    );
  });
  return [...lines, ...lineOf(`kB of heap of ${name}`, bytes / 1_000, { found: bounds[4], margin: HEAP_MARGIN })];
}

function lineOf(what: string, value: number, { found, margin }: { found: number; margin: number }): readonly string[] {
  const most = found * margin;
  if (value <= most) return [];
  return [`${what} grew from ${rounded(found)} to ${rounded(value)}, above the bound of ${rounded(most)}`];
}

const rounded = (value: number): string => String(Number(value.toFixed(value < 10 ? 3 : 0)));

function mostOf(plans: readonly Plan[], part: Figure['part']): string {
  return plans
    .toSorted((one, other) => part(other) - part(one))
    .slice(0, PARTS)
    .map((plan) => `${part(plan)} in "${plan.text.slice(0, PART_LENGTH)}"`)
    .join(', ');
}
