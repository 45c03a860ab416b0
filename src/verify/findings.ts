export interface Difference {
  readonly place: string;
  readonly name: string;
  readonly published: unknown;
  readonly recomputed: unknown;
  /** True for a value that the log has, instead of a recomputed one. */
  readonly isLogged?: true;
}

export type Values = Readonly<Record<string, unknown>>;

export type Findings = ReturnType<typeof newFindings>;

export function newFindings() {
  const differences: Difference[] = [];
  const notes: string[] = [];
  const alarms: string[] = [];
  let compared = 0;
  const compare = (difference: Difference): void => {
    compared += 1;
    if (!isSame(difference.published, difference.recomputed)) differences.push(difference);
  };
  const value = (place: string, name: string, [published, recomputed]: readonly [unknown, unknown]): void =>
    compare({ place, name, published, recomputed });
  const values = (place: string, published: Values, recomputed: Values): void => {
    for (const [name, expected] of Object.entries(recomputed)) value(place, name, [published[name], expected]);
  };
  const order = (place: string, published: readonly unknown[], recomputed: readonly unknown[]): void => {
    const [there, wanted] = [new Set(published), new Set(recomputed)];
    for (const item of recomputed) if (!there.has(item)) value(place, String(item), ['missing', 'listed']);
    for (const item of published) if (!wanted.has(item)) value(place, String(item), ['listed', 'missing']);
    const common = recomputed.filter((item) => there.has(item));
    const found = published.filter((item) => wanted.has(item));
    if (found.length > common.length) value(place, 'items', [found.length, common.length]);
    for (const [index, item] of common.entries()) value(place, `place ${index + 1}`, [found[index], item]);
  };
  return {
    differences,
    notes,
    /** Sentences about the log. */
    alarms,
    alarm: (sentence: string) => void alarms.push(sentence),
    note: (text: string) => void notes.push(text),
    get compared(): number {
      return compared;
    },
    values,
    /** Compares facts with true, which each of them must be. */
    holds(place: string, facts: Readonly<Record<string, boolean>>): void {
      for (const [name, fact] of Object.entries(facts)) value(place, name, [fact, true]);
    },
    logged(place: string, published: Values, logged: Values): void {
      for (const [name, recomputed] of Object.entries(logged))
        compare({ place, name, published: published[name], recomputed, isLogged: true });
    },
    order,
    /** Compares the order of rows, by their names, then each row that both lists have. */
    rows<Row extends Values>(
      place: string,
      [published, recomputed]: readonly [readonly Row[], readonly Row[]],
      nameOf: (row: Row) => string,
    ): void {
      order(place, published.map(nameOf), recomputed.map(nameOf));
      for (const row of recomputed) {
        const name = nameOf(row);
        const shown = published.find((one) => nameOf(one) === name);
        if (shown !== undefined) values(`${place}, ${name}`, shown, row);
      }
    },
  };
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'object' && typeof right === 'object') return JSON.stringify(left) === JSON.stringify(right);
  return Object.is(left, right);
}
