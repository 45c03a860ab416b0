/** With its sign, such as `+1.50`; zero has none. */
export function signed(value: number, digits = 0): string {
  const shown = rounded(value, digits);
  return `${shown > 0 ? '+' : ''}${shown.toFixed(digits)}`;
}

/** A share as whole percent; empty if unknown. */
export function percent(share: number | null): string {
  return share === null ? '' : `${Math.round(share * 100)} %`;
}

/** Without insignificant digits. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toFixed(digits));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Fewer values make an interval nearly as uncertain as the mean. */
const FEWEST = 10;

/** Half of the 95 % interval of the mean; null for fewer than ten values. */
export function marginOf(values: readonly number[]): number | null {
  if (values.length < FEWEST) return null;
  const mean = meanOf(values);
  const variance = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
}

/** Numbers are right-aligned, texts left-aligned. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const isNumber = widths.map((_width, at) => rows.slice(1).every((row) => /^[-+\d.% ±]*$/.test(row[at] ?? '')));
  return rows.map((row) =>
    row
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Without parentheses, which may be nested. */
export function inShort(question: string): string {
  return question.replaceAll(/ \((?:[^()]|\([^()]*\))*\)/g, '');
}
